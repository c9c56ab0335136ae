// What the graph layer knows of ONNX's element types beyond the public names: how many bytes their values take.
#pragma once

#include <cstdint>
#include <optional>

#include "berth/graph.h"

namespace berth::graph {

// Bytes of a stored tensor of this type and shape (types narrower than a byte are packed), or nothing for strings and
// for numbers that are not in ONNX's table. Throws Error{limit, invalid_input} for a shape that cannot be.
[[nodiscard]] std::optional<std::uint64_t> stored_bytes(ElementType type, const Shape& shape);

[[nodiscard]] bool is_known(ElementType type) noexcept;  // in ONNX's table, and not `undefined`

}  // namespace berth::graph
