// Element types, shapes, and widening: every half-precision value against the formula of its format.
#include "berth/tensor.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <gmock/gmock.h>
#include <limits>
#include <vector>

#include "berth/error.h"

namespace berth {
namespace {

// IEEE 754-2019, section 3.4, written with ldexp; no bits are moved as the code under test moves them.
double value_of(std::uint32_t bits, int exponent_bits, int mantissa_bits) {
  const auto exponent = static_cast<int>(bits >> mantissa_bits) & ((1 << exponent_bits) - 1);
  const double mantissa = bits & ((1U << mantissa_bits) - 1);
  const double sign = (bits >> (exponent_bits + mantissa_bits)) != 0 ? -1 : 1;
  const int bias = (1 << (exponent_bits - 1)) - 1;
  if (exponent == (1 << exponent_bits) - 1) {
    return mantissa == 0 ? sign * std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  }
  if (exponent == 0) return sign * std::ldexp(mantissa, 1 - bias - mantissa_bits);
  return sign * std::ldexp(mantissa + std::ldexp(1, mantissa_bits), exponent - bias - mantissa_bits);
}

void expect_every_value(DType dtype, int exponent_bits, int mantissa_bits) {
  std::vector<std::uint16_t> stored(65536);
  for (std::size_t i = 0; i < stored.size(); ++i) stored[i] = static_cast<std::uint16_t>(i);
  const TensorView view{dtype, {65536}, std::as_bytes(std::span(stored))};
  std::vector<float> floats(stored.size());
  std::vector<double> doubles(stored.size());
  widen(view, 0, 65536, floats.data());
  widen(view, 0, 65536, doubles.data());
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const double expected = value_of(bits, exponent_bits, mantissa_bits);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(floats[bits]) && std::isnan(doubles[bits])) << bits;
    } else {
      ASSERT_EQ(static_cast<double>(floats[bits]), expected) << bits;
      ASSERT_EQ(doubles[bits], expected) << bits;
      ASSERT_EQ(std::signbit(floats[bits]), std::signbit(expected)) << bits;
    }
  }
}

TEST(Widen, EveryHalfIsExact) { expect_every_value(DType::f16, 5, 10); }
TEST(Widen, EveryBfloatIsExact) { expect_every_value(DType::bf16, 8, 7); }

template <typename T>
void expect_widened(DType dtype, std::vector<T> values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T) + 1);  // unaligned on purpose
  std::memcpy(bytes.data() + 1, values.data(), values.size() * sizeof(T));
  const auto count = static_cast<std::int64_t>(values.size());
  const TensorView view{dtype, {count}, std::span(bytes).subspan(1)};
  std::vector<double> doubles(values.size() - 1);
  std::vector<float> floats(values.size() - 1);
  widen(view, 1, count - 1, doubles.data());
  widen(view, 1, count - 1, floats.data());
  for (std::size_t i = 1; i < values.size(); ++i) {
    EXPECT_EQ(doubles[i - 1], static_cast<double>(values[i]));
    EXPECT_EQ(floats[i - 1], static_cast<float>(values[i]));
  }
}

TEST(Widen, ReadsEveryTypeUnalignedAndFromTheMiddle) {
  expect_widened<double>(DType::f64, {1, -0.1, 1e300 * 1e-290, 3});
  expect_widened<float>(DType::f32, {1, -0.1F, 1e-40F, 3});
  expect_widened<std::int64_t>(DType::i64, {0, INT64_MIN, INT64_MAX, -1});
  expect_widened<std::int32_t>(DType::i32, {0, INT32_MIN, INT32_MAX, -1});
  expect_widened<std::int16_t>(DType::i16, {0, INT16_MIN, INT16_MAX, -1});
  expect_widened<std::int8_t>(DType::i8, {0, INT8_MIN, INT8_MAX, -1});
  expect_widened<std::uint64_t>(DType::u64, {0, UINT64_MAX, 1});
  expect_widened<std::uint32_t>(DType::u32, {0, UINT32_MAX, 1});
  expect_widened<std::uint16_t>(DType::u16, {0, UINT16_MAX, 1});
  expect_widened<std::uint8_t>(DType::u8, {0, UINT8_MAX, 1});
  expect_widened<std::uint8_t>(DType::boolean, {0, 1, 0});
}

TEST(DType, SizesAndNamesAreThoseOfSafetensors) {
  const std::array<std::tuple<DType, std::string_view, std::size_t, bool>, 13> expected{
      {{DType::f64, "F64", 8, true},
       {DType::f32, "F32", 4, true},
       {DType::f16, "F16", 2, true},
       {DType::bf16, "BF16", 2, true},
       {DType::i64, "I64", 8, false},
       {DType::i32, "I32", 4, false},
       {DType::i16, "I16", 2, false},
       {DType::i8, "I8", 1, false},
       {DType::u64, "U64", 8, false},
       {DType::u32, "U32", 4, false},
       {DType::u16, "U16", 2, false},
       {DType::u8, "U8", 1, false},
       {DType::boolean, "BOOL", 1, false}}};
  for (const auto& [dtype, name, size, floating] : expected) {
    EXPECT_EQ(name_of(dtype), name);
    EXPECT_EQ(size_of(dtype), size) << name;
    EXPECT_EQ(is_floating(dtype), floating) << name;
  }
}

TEST(Shape, CountsElements) {
  EXPECT_EQ(element_count({}), 1);
  EXPECT_EQ(element_count({2, 3, 4}), 24);
  EXPECT_EQ(element_count({7, 0}), 0);
  EXPECT_EQ(to_string(Shape{2, 8}), "[2, 8]");
  EXPECT_EQ(to_string(Shape{}), "[]");
}

ErrorKind kind_for(const Shape& shape) {
  try {
    (void)element_count(shape);
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::internal;
}

TEST(Shape, RefusesWhatDoesNotFit) {
  EXPECT_EQ(kind_for({INT64_MAX, 2}), ErrorKind::limit);
  EXPECT_EQ(kind_for({1LL << 32, 1LL << 31}), ErrorKind::limit);
  EXPECT_EQ(kind_for({2, -1}), ErrorKind::invalid_input);
  EXPECT_EQ(kind_for({0, -1}), ErrorKind::invalid_input);
}

}  // namespace
}  // namespace berth
