// Element types, shapes, and exact widening of half-precision values.
#include "berth/tensor.h"

#include <array>
#include <bit>
#include <cstring>

#include "base/checked.h"
#include "berth/error.h"

namespace berth {
namespace {

struct DTypeRow {
  std::string_view name;
  std::size_t size;
  bool floating;
};

// Indexed by DType.
constexpr std::array<DTypeRow, 13> kDTypes{{{"F64", 8, true},
                                            {"F32", 4, true},
                                            {"F16", 2, true},
                                            {"BF16", 2, true},
                                            {"I64", 8, false},
                                            {"I32", 4, false},
                                            {"I16", 2, false},
                                            {"I8", 1, false},
                                            {"U64", 8, false},
                                            {"U32", 4, false},
                                            {"U16", 2, false},
                                            {"U8", 1, false},
                                            {"BOOL", 1, false}}};

// IEEE 754 binary16: subnormals are renormalised, infinities and NaNs keep their payload.
float widen_half(std::uint16_t half) noexcept {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000U) << 16;
  const std::uint32_t exponent = (half >> 10) & 0x1FU;
  const std::uint32_t mantissa = half & 0x3FFU;
  if (exponent == 0) {
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24F;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | sign);
  }
  const std::uint32_t widened = exponent == 31 ? 0xFFU : exponent + 112;
  return std::bit_cast<float>(sign | (widened << 23) | (mantissa << 13));
}

struct Half {
  std::uint16_t bits;
  operator float() const noexcept { return widen_half(bits); }
};

struct Brain {
  std::uint16_t bits;
  operator float() const noexcept { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }
};

template <typename Stored, typename Wide>
void widen_as(const std::byte* from, std::int64_t count, Wide* out) {
  for (std::int64_t i = 0; i < count; ++i) {
    Stored value;
    std::memcpy(&value, from + static_cast<std::size_t>(i) * sizeof(Stored), sizeof(Stored));
    out[i] = static_cast<Wide>(value);
  }
}

template <typename Wide>
void widen_any(const TensorView& view, std::int64_t first, std::int64_t count, Wide* out) {
  const std::byte* from = view.data.data() + static_cast<std::size_t>(first) * size_of(view.dtype);
  switch (view.dtype) {
    case DType::f64: return widen_as<double>(from, count, out);
    case DType::f32: return widen_as<float>(from, count, out);
    case DType::f16: return widen_as<Half>(from, count, out);
    case DType::bf16: return widen_as<Brain>(from, count, out);
    case DType::i64: return widen_as<std::int64_t>(from, count, out);
    case DType::i32: return widen_as<std::int32_t>(from, count, out);
    case DType::i16: return widen_as<std::int16_t>(from, count, out);
    case DType::i8: return widen_as<std::int8_t>(from, count, out);
    case DType::u64: return widen_as<std::uint64_t>(from, count, out);
    case DType::u32: return widen_as<std::uint32_t>(from, count, out);
    case DType::u16: return widen_as<std::uint16_t>(from, count, out);
    case DType::u8:
    case DType::boolean: return widen_as<std::uint8_t>(from, count, out);
  }
}

}  // namespace

std::string_view name_of(DType dtype) noexcept { return kDTypes[static_cast<std::size_t>(dtype)].name; }
std::size_t size_of(DType dtype) noexcept { return kDTypes[static_cast<std::size_t>(dtype)].size; }
bool is_floating(DType dtype) noexcept { return kDTypes[static_cast<std::size_t>(dtype)].floating; }

std::string to_string(const Shape& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i != 0) text += ", ";
    text += std::to_string(shape[i]);
  }
  return text + "]";
}

std::int64_t element_count(const Shape& shape) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) {
    if (extent < 0) throw Error(ErrorKind::invalid_input, "", "shape " + to_string(shape) + " has a negative extent");
    count = checked::multiply(count, extent, "number of elements");
  }
  return count;
}

void widen(const TensorView& view, std::int64_t first, std::int64_t count, float* out) {
  widen_any(view, first, count, out);
}

void widen(const TensorView& view, std::int64_t first, std::int64_t count, double* out) {
  widen_any(view, first, count, out);
}

}  // namespace berth
