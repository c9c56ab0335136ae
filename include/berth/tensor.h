// What passes between checkpoint, graph and engine: an element type, a shape, and a view of bytes that someone else owns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace berth {

enum class DType : std::uint8_t { f64, f32, f16, bf16, i64, i32, i16, i8, u64, u32, u16, u8, boolean };

[[nodiscard]] std::string_view name_of(DType dtype) noexcept;      // "F32", as safetensors spells it
[[nodiscard]] std::size_t size_of(DType dtype) noexcept;           // bytes per element
[[nodiscard]] bool is_floating(DType dtype) noexcept;

using Shape = std::vector<std::int64_t>;                           // row-major; empty for a scalar

[[nodiscard]] std::string to_string(const Shape& shape);           // "[2, 8]"

// Number of elements; throws Error{limit} when it does not fit in 63 bits, Error{invalid_input} on a negative extent.
[[nodiscard]] std::int64_t element_count(const Shape& shape);

// Little-endian, row-major, possibly unaligned. The owner of `data` (a mapped checkpoint, a buffer) must outlive the view.
struct TensorView {
  DType dtype = DType::f32;
  Shape shape;
  std::span<const std::byte> data;
};

// Widens `count` elements from `first` on to float or double. Exact for F16, BF16 and F32 (for double also F64);
// F64 to float rounds to nearest, integers convert as the language does. Safe for unaligned data.
// `out` must hold `count` elements; the range must lie inside the view.
void widen(const TensorView& view, std::int64_t first, std::int64_t count, float* out);
void widen(const TensorView& view, std::int64_t first, std::int64_t count, double* out);

}  // namespace berth
