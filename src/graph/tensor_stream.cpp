// The three ways of a tensor from its source to the file: untouched spans, converted runs, transposed groups of rows.
#include "graph/tensor_stream.h"

#include <algorithm>
#include <memory>
#include <string>

#include "base/checked.h"
#include "berth/error.h"
#include "graph/convert.h"
#include "graph/element_type.h"
#include "graph/transpose.h"

namespace berth::graph {
namespace {

[[noreturn]] void fail_misfit(const Tensor& tensor, const std::string& message) {
  throw Error(ErrorKind::internal, "tensor " + tensor.name, message);
}

void require_fitting_source(const Tensor& tensor) {
  const TensorView& source = tensor.source;
  const auto count = static_cast<std::uint64_t>(element_count(source.shape));
  const std::uint64_t bytes = checked::multiply<std::uint64_t>(count, size_of(source.dtype), "tensor size");
  if (bytes != source.data.size()) {
    fail_misfit(tensor, "source of shape " + to_string(source.shape) + " has " + std::to_string(source.data.size()) +
                            " bytes, expected " + std::to_string(bytes));
  }
}

std::uint64_t opaque_bytes(const Tensor& tensor) {
  const std::optional<std::uint64_t> expected = stored_bytes(tensor.type, tensor.shape);
  if (tensor.transposed || tensor.source.dtype != DType::u8 || (expected && *expected != tensor.source.data.size())) {
    fail_misfit(tensor, "values of " + name_of(tensor.type) + " can only be kept as they are stored");
  }
  return tensor.source.data.size();
}

void stream_converted(const Tensor& tensor, DType to, ByteSink& sink) {
  const auto run = static_cast<std::int64_t>(kBlockBytes / size_of(to));
  const std::int64_t count = element_count(tensor.shape);
  for (std::int64_t first = 0; first < count; first += run) {
    const std::int64_t length = std::min(run, count - first);
    convert(tensor.source, first, length, to, sink.block().data());
    sink.write_block(static_cast<std::size_t>(length) * size_of(to));
  }
}

// Columns [column, column + width) of the source, as `width` rows of the target. Rows of another type are widened into
// a small scratch matrix first, so that the transposition moves elements of one size.
class ColumnReader {
 public:
  ColumnReader(const TensorView& source, DType to)
      : source_(source),
        to_(to),
        rows_(static_cast<std::size_t>(source.shape[0])),
        columns_(static_cast<std::size_t>(source.shape[1])) {}

  void read(std::size_t column, std::size_t width, std::size_t row, std::size_t height, std::byte* out,
            std::size_t out_stride) {
    const std::size_t element = size_of(to_);
    if (source_.dtype == to_) {
      const MatrixSource from{source_.data.data() + (row * columns_ + column) * element, columns_ * element};
      transpose(from, {out, out_stride}, height, width, element);
      return;
    }
    const std::size_t group = std::max<std::size_t>(1, kScratchBytes / (width * element));
    scratch_.resize(std::min(group, height) * width * element / sizeof(std::uint64_t) + 1);
    auto* const scratch = reinterpret_cast<std::byte*>(scratch_.data());
    for (std::size_t done = 0; done < height; done += group) {
      const std::size_t count = std::min(group, height - done);
      for (std::size_t i = 0; i < count; ++i) {
        const auto first = static_cast<std::int64_t>((row + done + i) * columns_ + column);
        convert(source_, first, static_cast<std::int64_t>(width), to_, scratch + i * width * element);
      }
      transpose({scratch, width * element}, {out + done * element, out_stride}, count, width, element);
    }
  }

  [[nodiscard]] std::size_t rows() const noexcept { return rows_; }
  [[nodiscard]] std::size_t columns() const noexcept { return columns_; }

 private:
  static constexpr std::size_t kScratchBytes = 16 << 10;  // stays in the first-level cache

  const TensorView& source_;
  DType to_;
  std::size_t rows_;
  std::size_t columns_;
  std::vector<std::uint64_t> scratch_;  // words, so that it is aligned for every element
};

// A block holds as many whole rows of the target as fit; a row that is longer than a block goes in pieces.
void stream_transposed(const Tensor& tensor, DType to, ByteSink& sink) {
  ColumnReader reader(tensor.source, to);
  const std::size_t element = size_of(to);
  const std::size_t length = reader.rows();
  if (length == 0) return;
  const std::size_t piece = std::min(length, kBlockBytes / element);
  std::size_t group = std::max<std::size_t>(1, kBlockBytes / (piece * element));
  if (group > 16) group -= group % 16;  // whole cache lines of the source
  for (std::size_t column = 0; column < reader.columns(); column += group) {
    const std::size_t width = std::min(group, reader.columns() - column);
    for (std::size_t row = 0; row < length; row += piece) {
      const std::size_t height = std::min(piece, length - row);
      reader.read(column, width, row, height, sink.block().data(), height * element);
      sink.write_block(width * height * element);
    }
  }
}

}  // namespace

std::uint64_t streamed_bytes(const Tensor& tensor) {
  require_fitting_source(tensor);
  const std::optional<DType> to = dtype_of(tensor.type);
  if (!to) return opaque_bytes(tensor);
  if (!can_convert(tensor.source.dtype, *to)) {
    throw Error(ErrorKind::unsupported, "tensor " + tensor.name,
                "has values of " + std::string(name_of(tensor.source.dtype)) + ", which cannot be stored as " +
                    name_of(tensor.type) + " without loss");
  }
  Shape expected = tensor.shape;
  if (tensor.transposed) {
    if (expected.size() != 2) fail_misfit(tensor, "is transposed and has the shape " + to_string(expected));
    std::swap(expected[0], expected[1]);
  }
  const bool fits = tensor.transposed ? expected == tensor.source.shape
                                      : element_count(expected) == element_count(tensor.source.shape);
  if (!fits) {
    fail_misfit(tensor, "source has the shape " + to_string(tensor.source.shape) + ", expected " + to_string(expected));
  }
  return *stored_bytes(tensor.type, tensor.shape);
}

void stream_tensor(const Tensor& tensor, ByteSink& sink) {
  const std::optional<DType> to = dtype_of(tensor.type);
  if (!to || (!tensor.transposed && tensor.source.dtype == *to)) {
    sink.write_stable(tensor.source.data);
  } else if (!tensor.transposed) {
    stream_converted(tensor, *to, sink);
  } else {
    stream_transposed(tensor, *to, sink);
  }
}

}  // namespace berth::graph
