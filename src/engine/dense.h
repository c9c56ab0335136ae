// The second door's checks: what a caller sends against what the graph declares.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "berth/engine.h"

namespace berth::engine {

// Every declared input once, no other, of its type and rank, with its fixed sizes, and the same size wherever the same
// name stands; data as long as the shape says. Throws Error{invalid_input} with what was found and what was expected.
void check(std::span<const DenseTensor> tensors, const std::vector<graph::Value>& inputs);

}  // namespace berth::engine
