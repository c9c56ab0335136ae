// A model as a ModelProto in wire format, with its weights still where they are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "berth/graph.h"
#include "graph/wire_writer.h"

namespace berth::graph {

inline constexpr std::uint64_t kLargeTensorBytes = 1024;  // smaller ones are shapes and scalars, and stay in the model
inline constexpr std::uint64_t kExternalAlignment = 64;

enum class WeightPlace {
  inside,         // the file holds all
  external_file,  // large initializers of the main graph stand in a file of their own
  left_out,       // for checks: large initializers and Constant nodes become inputs, nodes are named by describe()
};

struct ExternalWeight {
  const Tensor* tensor;
  std::uint64_t offset;
};

struct EncodedModel {
  Message message;
  std::vector<ExternalWeight> external;  // in the order of the file
};

// Views tensors of `model`, which must outlive the result. `location` is the name of the file of external weights.
[[nodiscard]] EncodedModel encode_model(const Model& model, WeightPlace place, const std::string& location = {});

// The message with all its tensors' data; for messages that hold no weights.
[[nodiscard]] std::string to_bytes(const Message& message);

}  // namespace berth::graph
