// One layer in double precision, and what stands beside and after the layers.
#pragma once

#include <cstdint>

#include "encoder/reference_blocks.h"

namespace berth::encoder::reference {

// From hidden state `layer` to the next: [tokens, hidden] to the same.
[[nodiscard]] Matrix layers_after(const Model& model, std::int64_t layer, Rows hidden, const ReferenceInput& input);

// What the head reads: the last hidden state, or its normalization.
[[nodiscard]] Matrix after_last_layer(const Model& model, Rows hidden);

}  // namespace berth::encoder::reference
