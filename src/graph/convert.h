// Conversion of stored values to a wider element type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "berth/tensor.h"

namespace berth::graph {

// Whether every value of `from` may be stored as `to`: equal types, anything as a float (F64 rounds), integers as I64
// or I32 when they fit by type.
[[nodiscard]] bool can_convert(DType from, DType to) noexcept;

// Elements [first, first + count) of the view as `to`; `out` holds count × size_of(to) bytes, aligned for `to`.
void convert(const TensorView& view, std::int64_t first, std::int64_t count, DType to, std::byte* out);

}  // namespace berth::graph
