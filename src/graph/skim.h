// The bounded first reading of a strange ModelProto: what is left for protobuf is small, shallow and known.
#pragma once

#include <string>
#include <vector>

#include "graph/tensor_reader.h"
#include "graph/wire_reader.h"

namespace berth::graph {

struct SkimmedModel {
  // The model with each tensor reduced to its name and, as raw_data, its index in `tensors` (8 bytes). Fields that
  // berth does not use are gone; fields that it does not support are there, but empty, so that they can be named.
  std::string structure;
  std::vector<StoredTensor> tensors;
};

// With `problems`, a tensor that cannot be read is told there and stays without values; other faults throw
// Error{invalid_input, limit, unsupported}.
[[nodiscard]] SkimmedModel skim(const WireSource& source, std::vector<std::string>* problems);

// The index that `raw_data` of a tensor in the structure holds.
[[nodiscard]] std::size_t tensor_index(const std::string& raw_data);

}  // namespace berth::graph
