// A layer is attention and a feed-forward part, each with its residual and its normalization: after the sum (Vaswani et
// al. 2017) or before the part (Xiong et al. 2020).
#include "encoder/layer.h"

#include "encoder/operators.h"

namespace berth::encoder {
namespace {

// Gated: one half of the wide layer is bent, and multiplied by the other (Shazeer 2020).
std::string feed_forward(const BlockContext& context, const LayerScope& layer, const std::string& x) {
  GraphBuilder& builder = context.builder;
  const LayerLayout& names = context.family.layer;
  const std::string intermediate = layer.module(names.intermediate);
  const std::string scope = scope_of(intermediate) + "/activation";
  const std::string wide = dense(context, intermediate, x);
  const auto bend = [&](const std::string& input) { return activation(context, context.config.activation, scope, input); };
  if (!context.family.encoder.gated) return dense(context, layer.module(names.output), bend(wide));
  const auto halves = split_last(builder, scope, wide, 2, context.config.intermediate_size);
  const std::string gated = builder.add("Mul", scope, {bend(halves[0]), halves[1]});
  return dense(context, layer.module(names.output), gated);
}

std::string residual_scope(const LayerScope& layer) { return scope_of(layer.module("output")); }

std::string norm_last(const BlockContext& context, const Scores& scores, const LayerScope& layer,
                      const std::string& hidden) {
  GraphBuilder& builder = context.builder;
  const LayerLayout& names = context.family.layer;
  const std::string attended =
      builder.add("Add", layer.scope, {self_attention(context, scores, layer, hidden), hidden});
  const std::string between = layer_norm(context, layer.module(names.attention_norm), attended);
  const std::string sum =
      builder.add("Add", residual_scope(layer), {feed_forward(context, layer, between), between});
  return layer_norm(context, layer.module(names.output_norm), sum);
}

std::string norm_first(const BlockContext& context, const Scores& scores, const LayerScope& layer,
                       const std::string& hidden) {
  GraphBuilder& builder = context.builder;
  const LayerLayout& names = context.family.layer;
  const std::string input =
      layer.index == 0 ? hidden : layer_norm(context, layer.module(names.attention_norm), hidden);
  const std::string attended = self_attention(context, scores, layer, input);
  const std::string between = builder.add("Add", layer.scope, {attended, hidden});
  const std::string normal = layer_norm(context, layer.module(names.output_norm), between);
  return builder.add("Add", residual_scope(layer), {feed_forward(context, layer, normal), between});
}

// A convolution over the tokens of the layers' input, normalized together with the first layer's output (He et al.
// 2020). What the mask hides is 0 before and after.
std::string convolution(const BlockContext& context, const std::string& embedded, const std::string& hidden) {
  using Integers = std::vector<std::int64_t>;
  GraphBuilder& builder = context.builder;
  const checkpoint::DisentangledAttention& own = *context.config.disentangled;
  const std::string_view module = context.family.encoder.convolution;
  const std::string scope = scope_of(module);
  const Attributes swapped{{"perm", Integers{0, 2, 1}}};
  const std::int64_t padding = (own.kernel_size - 1) / 2;
  const std::string channels_first = builder.add("Transpose", scope, {embedded}, swapped);
  const std::string convolved = builder.add(
      "Conv", scope, {channels_first, builder.weight(weight_of(module)), builder.weight(bias_of(module))},
      {{"group", own.kernel_groups}, {"kernel_shape", Integers{own.kernel_size}}, {"pads", Integers{padding, padding}}});
  const std::string tokens_first = builder.add("Transpose", scope, {convolved}, swapped);
  const std::string visible = unsqueeze(builder, scope, visible_tokens(context), {2});
  const std::string masked = builder.add("Mul", scope, {tokens_first, visible});
  const std::string bent = activation(context, own.kernel_activation, scope + "/activation", masked);
  const std::string sum = builder.add("Add", scope, {hidden, bent});
  return builder.add("Mul", scope, {layer_norm(context, context.family.encoder.convolution_norm, sum), visible});
}

}  // namespace

std::string layers_after(const BlockContext& context, const Scores& scores, std::int64_t index,
                         const std::string& hidden) {
  std::string x = hidden;
  for (const std::string& prefix : layer_prefixes(context.family, context.config, index)) {
    const LayerScope layer{index, prefix, scope_of(prefix + "attention")};
    x = context.family.encoder.norm_first ? norm_first(context, scores, layer, x) : norm_last(context, scores, layer, x);
  }
  const bool convolves = index == 0 && context.config.disentangled && context.config.disentangled->kernel_size > 0;
  return convolves ? convolution(context, hidden, x) : x;
}

std::string after_last_layer(const BlockContext& context, const std::string& hidden) {
  const std::string_view norm = context.family.encoder.final_norm;
  return norm.empty() ? hidden : layer_norm(context, norm, hidden);
}

}  // namespace berth::encoder
