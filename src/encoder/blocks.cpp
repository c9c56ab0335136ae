// Dense layers, normalization and attention as ONNX nodes, in the forms that ORT's fusions and ours look for.
#include "encoder/blocks.h"

#include <cmath>
#include <limits>
#include <utility>

#include "berth/error.h"
#include "encoder/activations.h"

namespace berth::encoder {
namespace {

using Integers = std::vector<std::int64_t>;

constexpr std::int64_t kLastAxis = -1;
constexpr std::int64_t kOpsetOfLayerNormalization = 17;

// The definition (Ba et al. 2016), for opsets that have no operator for it. ReduceMean takes its axes as an attribute
// up to opset 17.
std::string spelled_out_norm(const BlockContext& context, std::string_view module, const std::string& x) {
  GraphBuilder& builder = context.builder;
  const std::string scope = scope_of(module);
  const Attributes over_last{{"axes", Integers{kLastAxis}}, {"keepdims", std::int64_t{1}}};
  const std::string mean = builder.add("ReduceMean", scope, {x}, over_last);
  const std::string centred = builder.add("Sub", scope, {x, mean});
  const std::string squared = builder.add("Pow", scope, {centred, builder.scalar("two", 2.0F)});
  const std::string variance = builder.add("ReduceMean", scope, {squared}, over_last);
  const std::string epsilon = builder.scalar("layer_norm_eps", static_cast<float>(context.config.layer_norm_eps));
  const std::string deviation = builder.add("Sqrt", scope, {builder.add("Add", scope, {variance, epsilon})});
  const std::string normal = builder.add("Div", scope, {centred, deviation});
  const std::string scaled = builder.add("Mul", scope, {normal, builder.weight(weight_of(module))});
  return builder.add("Add", scope, {scaled, builder.weight(bias_of(module))});
}

// [batch, sequence, hidden] to [batch, heads, sequence, width of a head], in the order that `permutation` asks for.
// A 0 in Reshape's shape keeps the dimension, so that no length need be computed.
std::string split_heads(const BlockContext& context, const std::string& scope, const std::string& x,
                        Integers permutation) {
  GraphBuilder& builder = context.builder;
  const std::int64_t width = context.config.hidden_size / context.config.heads;
  const std::string shape = builder.vector("split_heads_shape", {0, 0, context.config.heads, width});
  const std::string split = builder.add("Reshape", scope, {x, shape});
  return builder.add("Transpose", scope, {split}, {{"perm", std::move(permutation)}});
}

std::string merge_heads(const BlockContext& context, const std::string& scope, const std::string& x) {
  GraphBuilder& builder = context.builder;
  const std::string tokens_first = builder.add("Transpose", scope, {x}, {{"perm", Integers{0, 2, 1, 3}}});
  const std::string shape = builder.vector("merge_heads_shape", {0, 0, context.config.hidden_size});
  return builder.add("Reshape", scope, {tokens_first, shape});
}

// softmax(Q·Kᵀ / √d + bias)·V. The division stays a node of its own: folded into the query's weights it would round
// differently, and the weights could no longer be views on the checkpoint.
std::string self_attention(const BlockContext& context, const std::string& scope, const std::string& query,
                           const std::string& key, const std::string& value, const std::string& bias) {
  GraphBuilder& builder = context.builder;
  const double width = static_cast<double>(context.config.hidden_size) / static_cast<double>(context.config.heads);
  const std::string q = split_heads(context, scope, query, {0, 2, 1, 3});
  const std::string k_transposed = split_heads(context, scope, key, {0, 2, 3, 1});
  const std::string v = split_heads(context, scope, value, {0, 2, 1, 3});
  const std::string products = builder.add("MatMul", scope, {q, k_transposed});
  const std::string scores =
      builder.add("Div", scope, {products, builder.scalar("sqrt_head_width", static_cast<float>(std::sqrt(width)))});
  const std::string biased = builder.add("Add", scope, {scores, bias});
  const std::string weights = builder.add("Softmax", scope, {biased}, {{"axis", kLastAxis}});
  return merge_heads(context, scope, builder.add("MatMul", scope, {weights, v}));
}

}  // namespace

std::string dense(const BlockContext& context, std::string_view module, const std::string& x) {
  GraphBuilder& builder = context.builder;
  const std::string scope = scope_of(module);
  const std::string product = builder.add("MatMul", scope, {x, builder.transposed_weight(weight_of(module))});
  return builder.add("Add", scope, {product, builder.weight(bias_of(module))});
}

std::string layer_norm(const BlockContext& context, std::string_view module, const std::string& x) {
  GraphBuilder& builder = context.builder;
  if (builder.opset() < kOpsetOfLayerNormalization) return spelled_out_norm(context, module, x);
  return builder.add("LayerNormalization", scope_of(module),
                     {x, builder.weight(weight_of(module)), builder.weight(bias_of(module))},
                     {{"axis", kLastAxis}, {"epsilon", static_cast<float>(context.config.layer_norm_eps)}});
}

std::string activation(const BlockContext& context, std::string_view name, const std::string& scope,
                       const std::string& x) {
  const ActivationRow* const row = find_activation(name);
  if (row == nullptr) throw Error(ErrorKind::internal, "", "the table of activations lacks " + std::string(name));
  return row->build(context.builder, scope, x);
}

// The bias as Transformers computes it: float's lowest number where the mask is 0. Added to a score it absorbs it,
// so that a row which sees nothing attends to all alike; minus infinity would make it NaN.
std::string attention_bias(const BlockContext& context) {
  GraphBuilder& builder = context.builder;
  const std::string scope = "/attention_bias";
  const std::string mask = builder.add("Unsqueeze", scope, {"attention_mask", builder.vector("mask_axes", {1, 2})});
  const std::string visible =
      builder.add("Cast", scope, {mask}, {{"to", static_cast<std::int64_t>(graph::ElementType::f32)}});
  const std::string hidden = builder.add("Sub", scope, {builder.scalar("one", 1.0F), visible});
  return builder.add("Mul", scope, {hidden, builder.scalar("lowest", std::numeric_limits<float>::lowest())});
}

std::string layer(const BlockContext& context, std::int64_t index, const std::string& hidden, const std::string& bias) {
  GraphBuilder& builder = context.builder;
  const LayerLayout& names = context.family.layer;
  const auto module = [&](std::string_view name) { return layer_module(context.family, index, name); };
  const std::string attention_scope = scope_of(module("attention"));

  const std::string query = dense(context, module(names.query), hidden);
  const std::string key = dense(context, module(names.key), hidden);
  const std::string value = dense(context, module(names.value), hidden);
  const std::string attended = self_attention(context, attention_scope, query, key, value, bias);
  const std::string attention_output = dense(context, module(names.attention_output), attended);
  const std::string attention_sum = builder.add("Add", attention_scope, {attention_output, hidden});
  const std::string between = layer_norm(context, module(names.attention_norm), attention_sum);

  const std::string intermediate = module(names.intermediate);
  const std::string wide = activation(context, context.config.activation, scope_of(intermediate) + "/activation",
                                      dense(context, intermediate, between));
  const std::string narrow = dense(context, module(names.output), wide);
  const std::string sum = builder.add("Add", scope_of(module("output")), {narrow, between});
  return layer_norm(context, module(names.output_norm), sum);
}

}  // namespace berth::encoder
