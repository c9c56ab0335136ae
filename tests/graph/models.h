// Small models that the tests of this layer share.
#pragma once

#include <filesystem>
#include <onnx/onnx_pb.h>
#include <string>
#include <string_view>
#include <vector>

#include "berth/graph.h"

namespace berth::test {

// A tensor of floats 0, 1, 2, … with this shape.
[[nodiscard]] graph::Tensor counting_tensor(std::string name, Shape shape);

// y = MatMul(x, weight) + bias, [batch, 32] to [batch, 24]; the weight is stored transposed, as checkpoints have it.
[[nodiscard]] graph::Model linear_model();

// Every kind of attribute, a subgraph, scalars, strings, unknown dimensions and metadata.
[[nodiscard]] graph::Model varied_model();

// A model in ONNX's own text form (onnx/docs/Syntax.md), and a message as a file: models made elsewhere.
[[nodiscard]] onnx::ModelProto parse_text(std::string_view text);
void save(const onnx::ModelProto& proto, const std::filesystem::path& path);

// The bytes that the tensor has in a file.
[[nodiscard]] std::vector<std::byte> stored_values(const graph::Tensor& tensor);

// Sound by ONNX's checker and inference: a linear layer, a branch, a reshape by a constant, and a cast.
inline constexpr std::string_view kSoundText = R"(
  <ir_version: 8, opset_import: ["" : 17]>
  main (float[batch, 4] x, bool flag) => (float[batch, 2, 3] y, int64[batch, 6] z)
    <float[4, 6] weight = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23},
     int64[3] shape = {0, 2, 3}> {
    [product] xw = MatMul(x, weight)
    [choice] chosen = If (flag) <
      then_branch = then_graph () => (float[batch, 6] a) { [relu] a = Relu(xw) },
      else_branch = else_graph () => (float[batch, 6] b) { [negate] b = Neg(xw) }>
    [reshape] y = Reshape(chosen, shape)
    [cast] z = Cast<to = 7>(chosen)
  })";

}  // namespace berth::test
