// The parts that encoders are made of, as ONNX nodes: each takes names of values and returns that of its last node's
// output.
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

// x·Wᵀ + b, or without b where the module has none. The weight is stored transposed: MatMul wants [inputs, outputs].
std::string dense(const BlockContext& context, std::string_view module, const std::string& x);

std::string layer_norm(const BlockContext& context, std::string_view module, const std::string& x);

// `name` is a row's, or the config's after config_problems() let it pass.
std::string activation(const BlockContext& context, std::string_view name, const std::string& scope,
                       const std::string& x);

// attention_mask as 1.0 and 0.0: [batch, sequence].
std::string visible_tokens(const BlockContext& context);

// The sequence length as a tensor [1].
std::string sequence_length(const BlockContext& context);

// [batch, sequence, hidden] from the graph's inputs.
std::string embeddings(const BlockContext& context);

}  // namespace berth::encoder
