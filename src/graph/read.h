// Reading with or without tolerance for tensors that cannot be read.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "berth/graph.h"

namespace berth::graph {

// As read(). With `problems`, a tensor whose values are not there or not right is told there and stays without values,
// so that a check can go on to the rest of the model.
[[nodiscard]] Model read_model(const std::filesystem::path& file, std::vector<std::string>* problems);

}  // namespace berth::graph
