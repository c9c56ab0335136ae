// Widening to floating point is base's; what is added here is integers, whose values must not pass through a float.
#include "graph/convert.h"

#include <cstring>
#include <type_traits>

#include "berth/error.h"

namespace berth::graph {
namespace {

// Calls `use` with a value of the C++ type behind an integer dtype; false for the floating ones.
template <typename Use>
bool with_integer_type(DType dtype, Use&& use) {
  switch (dtype) {
    case DType::i64: use(std::int64_t{}); return true;
    case DType::i32: use(std::int32_t{}); return true;
    case DType::i16: use(std::int16_t{}); return true;
    case DType::i8: use(std::int8_t{}); return true;
    case DType::u64: use(std::uint64_t{}); return true;
    case DType::u32: use(std::uint32_t{}); return true;
    case DType::u16: use(std::uint16_t{}); return true;
    case DType::u8:
    case DType::boolean: use(std::uint8_t{}); return true;
    case DType::f64:
    case DType::f32:
    case DType::f16:
    case DType::bf16: return false;
  }
  return false;
}

template <typename From, typename To>
constexpr bool kHoldsAll = std::is_signed_v<From> == std::is_signed_v<To>
                               ? sizeof(From) <= sizeof(To)
                               : std::is_signed_v<To> && sizeof(From) < sizeof(To);

template <typename From, typename To>
void convert_integers(const std::byte* from, std::int64_t count, std::byte* out) {
  for (std::int64_t i = 0; i < count; ++i) {
    From value;
    std::memcpy(&value, from + static_cast<std::size_t>(i) * sizeof(From), sizeof(From));
    const To wide = static_cast<To>(value);
    std::memcpy(out + static_cast<std::size_t>(i) * sizeof(To), &wide, sizeof(To));
  }
}

}  // namespace

bool can_convert(DType from, DType to) noexcept {
  if (from == to || to == DType::f32 || to == DType::f64) return true;
  if (to == DType::boolean) return false;
  bool holds_all = false;
  with_integer_type(from, [&]<typename From>(From) {
    with_integer_type(to, [&]<typename To>(To) { holds_all = kHoldsAll<From, To>; });
  });
  return holds_all;
}

void convert(const TensorView& view, std::int64_t first, std::int64_t count, DType to, std::byte* out) {
  const std::size_t element_size = size_of(view.dtype);
  const std::byte* const from = view.data.data() + static_cast<std::size_t>(first) * element_size;
  if (view.dtype == to) {
    std::memcpy(out, from, static_cast<std::size_t>(count) * element_size);
  } else if (to == DType::f32) {
    widen(view, first, count, reinterpret_cast<float*>(out));
  } else if (to == DType::f64) {
    widen(view, first, count, reinterpret_cast<double*>(out));
  } else {
    with_integer_type(view.dtype, [&]<typename From>(From) {
      with_integer_type(to, [&]<typename To>(To) { convert_integers<From, To>(from, count, out); });
    });
  }
}

}  // namespace berth::graph
