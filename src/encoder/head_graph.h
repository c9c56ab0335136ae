// The nodes of a head, on top of the last layer.
#pragma once

#include <string>
#include <vector>

#include "encoder/blocks.h"

namespace berth::encoder {

// Appends the head and returns the outputs that this checkpoint has of those in the table of heads, in its order.
[[nodiscard]] std::vector<graph::Value> append_head(const BlockContext& context, const HeadLayout& layout,
                                                    const std::string& hidden,
                                                    const std::vector<graph::Dimension>& tokens);

}  // namespace berth::encoder
