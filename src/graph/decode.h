// Protobuf's messages, already skimmed, as our structures.
#pragma once

#include <string>
#include <vector>

#include "berth/graph.h"
#include "graph/tensor_reader.h"

namespace onnx {
class ModelProto;
class ValueInfoProto;
}  // namespace onnx

namespace berth::graph {

// `file` names the model in errors. Throws Error{unsupported, invalid_input} that names node and attribute, or value.
[[nodiscard]] Model decode_model(const onnx::ModelProto& proto, const std::vector<StoredTensor>& tensors,
                                 const std::string& file);

// A value of a type that is no tensor has the type `undefined`.
[[nodiscard]] Value decode_value(const onnx::ValueInfoProto& proto);

}  // namespace berth::graph
