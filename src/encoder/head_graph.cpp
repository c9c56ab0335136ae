// A head's nodes from its row, and which outputs come of them.
#include "encoder/head_graph.h"

#include <utility>

#include "berth/error.h"
#include "encoder/operators.h"

namespace berth::encoder {
namespace {

using Dimensions = std::vector<graph::Dimension>;

std::string transform(const BlockContext& context, const HeadLayout& layout, const std::string& x) {
  const std::string bent = activation(context, transform_activation(layout, context.config),
                                      scope_of(layout.transform) + "/activation", dense(context, layout.transform, x));
  return layout.transform_norm.empty() ? bent : layer_norm(context, layout.transform_norm, bent);
}

// A tied weight is stored a second time, transposed: a Transpose of the embeddings at run time would be a constant
// left unfolded, and every runtime would fold it into the same bytes while it loads.
std::string last_dense(const BlockContext& context, const HeadLayout& layout, const std::string& x) {
  GraphBuilder& builder = context.builder;
  const std::string scope = scope_of(layout.output);
  const std::string name = weight_of(layout.output);
  const bool tied = is_tied(layout, context.config);
  const std::string weight =
      builder.transposed_weight(name, tied ? context.family.embeddings.words : std::string_view(name));
  std::string product = builder.add("MatMul", scope, {x, weight});
  const std::string bias = output_bias_of(layout);
  return builder.has_weight(bias) ? builder.add("Add", scope, {product, builder.weight(bias)}) : product;
}

graph::Value named_output(GraphBuilder& builder, std::string_view name, Dimensions shape) {
  return {builder.name_last(std::string(name)), graph::ElementType::f32, std::move(shape)};
}

// One output for each column of [batch, sequence, columns].
std::vector<graph::Value> split_columns(GraphBuilder& builder, const std::string& logits, const HeadRow& row,
                                        const Dimensions& tokens) {
  std::vector<graph::Value> outputs;
  for (const std::string_view name : row.outputs) {
    const auto column = static_cast<std::int64_t>(outputs.size());
    const std::string index = builder.scalar("column_" + std::to_string(column), column);
    builder.add("Gather", "/columns", {logits, index}, {{"axis", std::int64_t{2}}});
    outputs.push_back(named_output(builder, name, tokens));
  }
  return outputs;
}

std::string first_token_of(GraphBuilder& builder, const std::string& hidden) {
  return builder.add("Gather", "/first_token", {hidden, builder.scalar("token_0", std::int64_t{0})},
                     {{"axis", std::int64_t{1}}});
}

// The mean over the tokens that the mask shows; 0 where it shows none.
std::string mean_of_tokens(const BlockContext& context, const std::string& hidden) {
  GraphBuilder& builder = context.builder;
  const std::string scope = "/mean_of_tokens";
  const std::string visible = unsqueeze(builder, scope, visible_tokens(context), {1});  // [batch, 1, sequence]
  const std::string sums = builder.add("MatMul", scope, {visible, hidden});
  const std::string count = reduce_sum(builder, scope, visible, 2);
  const std::string at_least_one = builder.add("Max", scope, {count, builder.scalar("one", 1.0F)});
  const std::string mean = builder.add("Div", scope, {sums, at_least_one});
  return builder.add("Reshape", scope, {mean, builder.vector("pooled_shape", {-1, context.config.hidden_size})});
}

std::string pooled(const BlockContext& context, const HeadLayout& layout, const std::string& hidden) {
  switch (pooling_of(layout, context.config)) {
    case Pooling::tokens: return hidden;
    case Pooling::first: return first_token_of(context.builder, hidden);
    case Pooling::mean: return mean_of_tokens(context, hidden);
  }
  throw Error(ErrorKind::internal, "", "a head pools in an unknown way");
}

// How many numbers the last dense layer gives.
std::int64_t width_of_output(const GraphBuilder& builder, const HeadLayout& layout, const checkpoint::EncoderConfig& config) {
  return is_tied(layout, config) ? config.vocab_size : builder.source(weight_of(layout.output)).shape.at(0);
}

// The Identity lets the value keep its name among the hidden states beside its name as an output.
std::vector<graph::Value> append_no_head(const BlockContext& context, const HeadLayout& layout,
                                         const std::string& hidden, const Dimensions& tokens) {
  GraphBuilder& builder = context.builder;
  const graph::Dimension width = context.config.hidden_size;
  const HeadRow& row = row_of(Head::none);
  builder.add("Identity", "/last_hidden_state", {hidden});
  std::vector<graph::Value> outputs{named_output(builder, row.outputs[0], {tokens[0], tokens[1], width})};
  if (layout.transform.empty() || !builder.has_weight(weight_of(layout.transform))) return outputs;
  transform(context, layout, first_token_of(builder, hidden));
  outputs.push_back(named_output(builder, row.outputs[1], {tokens[0], width}));
  return outputs;
}

}  // namespace

std::vector<graph::Value> append_head(const BlockContext& context, const HeadLayout& layout, const std::string& hidden,
                                      const Dimensions& tokens) {
  if (layout.head == Head::none) return append_no_head(context, layout, hidden, tokens);
  GraphBuilder& builder = context.builder;
  const HeadRow& row = row_of(layout.head);
  std::string x = pooled(context, layout, hidden);
  if (!layout.transform.empty()) x = transform(context, layout, x);
  const std::string logits = last_dense(context, layout, x);
  if (row.outputs.size() > 1) return split_columns(builder, logits, row, tokens);
  Dimensions shape = layout.pool == Pool::tokens ? tokens : Dimensions{tokens[0]};
  shape.emplace_back(width_of_output(builder, layout, context.config));
  return {named_output(builder, row.outputs[0], std::move(shape))};
}

}  // namespace berth::encoder
