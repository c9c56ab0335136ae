// Models as ONNX's library wants them, without the weights, which it would copy.
#pragma once

#include <onnx/onnx_pb.h>
#include <string>
#include <vector>

#include "berth/graph.h"

namespace berth::graph {

// Weights have become inputs of the same type and shape, and each node's name is its describe().
[[nodiscard]] onnx::ModelProto without_weights(const Model& model);

// Strict inference with propagation of known values. Throws what ONNX throws.
void run_inference(onnx::ModelProto& proto);

// What a message of ONNX's library about such a model says: a sentence for each problem, with the node in front where
// it names one, without tags and contexts.
[[nodiscard]] std::vector<std::string> plain_sentences(std::string message);

}  // namespace berth::graph
