// Stored bytes against the slow, obvious way to make them.
#include "graph/tensor_stream.h"

#include <cstring>
#include <gtest/gtest.h>

#include "berth/error.h"
#include "graph/models.h"

namespace berth::graph {
namespace {

class Collector : public ByteSink {
 public:
  void write_stable(std::span<const std::byte> more) override { append(more); }
  std::span<std::byte> block() override { return std::as_writable_bytes(std::span(block_)); }
  void write_block(std::size_t size) override {
    ASSERT_LE(size, kBlockBytes);
    append(block().first(size));
  }
  std::vector<std::byte> bytes;

 private:
  void append(std::span<const std::byte> more) { bytes.insert(bytes.end(), more.begin(), more.end()); }
  std::vector<std::uint64_t> block_ = std::vector<std::uint64_t>(kBlockBytes / sizeof(std::uint64_t));
};

// Bytes 1, 2, 3, … behind one more, so that the data are not aligned.
std::vector<std::byte> counting_bytes(std::size_t size) {
  std::vector<std::byte> bytes(size + 1);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 7 + i / 251);
  return bytes;
}

Tensor view_of(const std::vector<std::byte>& memory, DType dtype, Shape shape) {
  Tensor tensor;
  tensor.name = "t";
  tensor.type = element_type_of(dtype);
  tensor.shape = shape;
  const auto size = static_cast<std::size_t>(element_count(shape)) * size_of(dtype);
  tensor.source = {dtype, std::move(shape), std::span(memory).subspan(1, size)};
  return tensor;
}

std::vector<std::byte> stream(const Tensor& tensor) {
  Collector collector;
  stream_tensor(tensor, collector);
  EXPECT_EQ(collector.bytes.size(), streamed_bytes(tensor));
  return collector.bytes;
}

void swap_axes(Tensor& tensor) {
  tensor.transposed = true;
  std::swap(tensor.shape[0], tensor.shape[1]);
}

std::vector<std::byte> transposed_slowly(std::span<const std::byte> source, std::size_t rows, std::size_t columns) {
  std::vector<std::byte> out(source.size());
  const std::size_t element = source.size() / (rows * columns);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      std::memcpy(&out[(column * rows + row) * element], &source[(row * columns + column) * element], element);
    }
  }
  return out;
}

TEST(TensorStream, PassesEqualTypesThrough) {
  const auto memory = counting_bytes(4 * 15);
  const Tensor tensor = view_of(memory, DType::f32, {3, 5});
  EXPECT_TRUE(std::ranges::equal(stream(tensor), tensor.source.data));
}

TEST(TensorStream, TransposesEveryElementSizeAndOddShape) {
  const std::vector<std::pair<std::int64_t, std::int64_t>> shapes{
      {1, 1}, {1, 9}, {9, 1}, {4, 4}, {16, 16}, {33, 47}, {64, 20}, {300, 1100}, {3, 140000}, {140000, 3}};
  for (const DType dtype : {DType::u8, DType::bf16, DType::f32, DType::i64}) {
    for (const auto& [rows, columns] : shapes) {
      const auto memory = counting_bytes(static_cast<std::size_t>(rows * columns) * size_of(dtype));
      Tensor tensor = view_of(memory, dtype, {rows, columns});
      const auto expected =
          transposed_slowly(tensor.source.data, static_cast<std::size_t>(rows), static_cast<std::size_t>(columns));
      swap_axes(tensor);
      EXPECT_EQ(stream(tensor), expected) << name_of(dtype) << " " << rows << " x " << columns;
    }
  }
}

TEST(TensorStream, WidensWhileItTransposes) {
  for (const DType dtype : {DType::f16, DType::bf16, DType::f64, DType::i32}) {
    const auto memory = counting_bytes(70 * 50 * size_of(dtype));
    Tensor tensor = view_of(memory, dtype, {70, 50});
    std::vector<float> wide(70 * 50);
    widen(tensor.source, 0, 70 * 50, wide.data());
    tensor.type = ElementType::f32;
    const std::span<const std::byte> widened = std::as_bytes(std::span(wide));
    EXPECT_TRUE(std::ranges::equal(stream(tensor), widened)) << name_of(dtype);
    swap_axes(tensor);
    EXPECT_EQ(stream(tensor), transposed_slowly(widened, 70, 50)) << name_of(dtype);
  }
}

TEST(TensorStream, WidensIntegersExactly) {
  const std::vector<std::int32_t> narrow{0, -1, std::numeric_limits<std::int32_t>::max()};
  Tensor tensor;
  tensor.type = ElementType::i64;
  tensor.shape = {3};
  tensor.source = {DType::i32, {3}, std::as_bytes(std::span(narrow))};
  const std::vector<std::int64_t> wide(narrow.begin(), narrow.end());
  EXPECT_TRUE(std::ranges::equal(stream(tensor), std::as_bytes(std::span(wide))));
}

TEST(TensorStream, GivesNothingForATensorWithoutElements) {
  Tensor tensor = test::counting_tensor("empty", {0, 4});
  EXPECT_TRUE(stream(tensor).empty());
  swap_axes(tensor);
  EXPECT_TRUE(stream(tensor).empty());
}

TEST(TensorStream, RefusesAConversionThatLosesValues) {
  Tensor tensor = graph::constant("ids", std::vector<std::int64_t>{1}, {1});
  tensor.type = ElementType::i32;
  try {
    (void)streamed_bytes(tensor);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unsupported);
    EXPECT_STREQ(error.what(), "tensor ids: has values of I64, which cannot be stored as int32 without loss");
  }
}

TEST(TensorStream, RefusesASourceThatDoesNotFitTheShape) {
  Tensor tensor = test::counting_tensor("w", {2, 3});
  tensor.transposed = true;
  EXPECT_THROW((void)streamed_bytes(tensor), Error);
  tensor = test::counting_tensor("w", {2, 3});
  tensor.source.data = tensor.source.data.first(20);
  EXPECT_THROW((void)streamed_bytes(tensor), Error);
}

}  // namespace
}  // namespace berth::graph
