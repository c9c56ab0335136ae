// The layers between embeddings and head.
#pragma once

#include <cstdint>
#include <string>

#include "encoder/attention.h"
#include "encoder/blocks.h"

namespace berth::encoder {

// From hidden state `index` to the next, both [batch, sequence, hidden].
std::string layers_after(const BlockContext& context, const Scores& scores, std::int64_t index,
                         const std::string& hidden);

// What stands between the last hidden state and the head, mostly nothing.
std::string after_last_layer(const BlockContext& context, const std::string& hidden);

}  // namespace berth::encoder
