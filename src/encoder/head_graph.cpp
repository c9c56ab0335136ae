// A head's nodes from its row, and which outputs come of them.
#include "encoder/head_graph.h"

#include <utility>

namespace berth::encoder {
namespace {

using Dimensions = std::vector<graph::Dimension>;

std::string transform(const BlockContext& context, const HeadLayout& layout, const std::string& x) {
  const std::string_view name =
      layout.transform_activation.empty() ? std::string_view(context.config.activation) : layout.transform_activation;
  const std::string bent =
      activation(context, name, scope_of(layout.transform) + "/activation", dense(context, layout.transform, x));
  return layout.transform_norm.empty() ? bent : layer_norm(context, layout.transform_norm, bent);
}

// A tied weight is stored a second time, transposed: a Transpose of the embeddings at run time would be a constant
// left unfolded, and every runtime would fold it into the same bytes while it loads.
std::string last_dense(const BlockContext& context, const HeadLayout& layout, const std::string& x) {
  GraphBuilder& builder = context.builder;
  const std::string scope = scope_of(layout.output);
  const std::string name = weight_of(layout.output);
  const bool tied = layout.output_tied && !builder.has_weight(name);
  const std::string weight =
      builder.transposed_weight(name, tied ? context.family.embeddings.words : std::string_view(name));
  const std::string product = builder.add("MatMul", scope, {x, weight});
  return builder.add("Add", scope, {product, builder.weight(output_bias_of(layout))});
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
  std::string x = layout.first_token ? first_token_of(builder, hidden) : hidden;
  if (!layout.transform.empty()) x = transform(context, layout, x);
  const std::string logits = last_dense(context, layout, x);
  if (row.outputs.size() > 1) return split_columns(builder, logits, row, tokens);
  Dimensions shape = layout.first_token ? Dimensions{tokens[0]} : tokens;
  shape.emplace_back(builder.source(output_bias_of(layout)).shape.at(0));
  return {named_output(builder, row.outputs[0], std::move(shape))};
}

}  // namespace berth::encoder
