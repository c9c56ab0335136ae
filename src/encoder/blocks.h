// The parts that encoders are made of, as ONNX nodes: each takes names of values and returns that of its last node's
// output. Vaswani et al. 2017 with the layer normalization after each residual (Devlin et al. 2018).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "encoder/family.h"
#include "encoder/graph_builder.h"

namespace berth::encoder {

// What the parts of one graph share.
struct BlockContext {
  GraphBuilder& builder;
  const Family& family;
  const checkpoint::EncoderConfig& config;
  std::optional<std::int64_t> sequence_length;  // when it is fixed
};

// x·Wᵀ + b. The weight is stored transposed: MatMul wants [inputs, outputs].
std::string dense(const BlockContext& context, std::string_view module, const std::string& x);

std::string layer_norm(const BlockContext& context, std::string_view module, const std::string& x);

// `name` is a row's, or the config's after config_problems() let it pass.
std::string activation(const BlockContext& context, std::string_view name, const std::string& scope,
                       const std::string& x);

// [batch, sequence, hidden] from the graph's inputs.
std::string embeddings(const BlockContext& context);

// What is added to every layer's attention scores: [batch, 1, 1, sequence].
std::string attention_bias(const BlockContext& context);

// One layer: [batch, sequence, hidden] to the same.
std::string layer(const BlockContext& context, std::int64_t index, const std::string& hidden, const std::string& bias);

}  // namespace berth::encoder
