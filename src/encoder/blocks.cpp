// Dense layers, normalization and activations as ONNX nodes, in the forms that ORT's fusions and ours look for.
#include "encoder/blocks.h"

#include "berth/error.h"
#include "encoder/activations.h"
#include "encoder/operators.h"

namespace berth::encoder {

std::string dense(const BlockContext& context, std::string_view module, const std::string& x) {
  GraphBuilder& builder = context.builder;
  const std::string scope = scope_of(module);
  std::string product = builder.add("MatMul", scope, {x, builder.transposed_weight(weight_of(module))});
  const std::string bias = bias_of(module);
  return builder.has_weight(bias) ? builder.add("Add", scope, {product, builder.weight(bias)}) : product;
}

std::string layer_norm(const BlockContext& context, std::string_view module, const std::string& x) {
  GraphBuilder& builder = context.builder;
  const std::string gain = builder.weight(weight_of(module));
  const std::string bias = bias_of(module);
  const std::string shift = builder.has_weight(bias) ? builder.weight(bias) : "";
  return layer_normalization(builder, scope_of(module), x, gain, shift,
                             static_cast<float>(context.config.layer_norm_eps));
}

std::string activation(const BlockContext& context, std::string_view name, const std::string& scope,
                       const std::string& x) {
  const ActivationRow* const row = find_activation(name);
  if (row == nullptr) throw Error(ErrorKind::internal, "", "the table of activations lacks " + std::string(name));
  return row->build(context.builder, scope, x);
}

std::string visible_tokens(const BlockContext& context) {
  return cast(context.builder, "/visible_tokens", "attention_mask", graph::ElementType::f32);
}

std::string sequence_length(const BlockContext& context) {
  GraphBuilder& builder = context.builder;
  if (context.sequence_length) return builder.vector("sequence_length", {*context.sequence_length});
  return dimension(builder, "/sequence_length", "input_ids", 1);
}

}  // namespace berth::encoder
