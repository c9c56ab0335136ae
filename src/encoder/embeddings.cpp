// The sum of a token's word, position and segment vectors, normalized (Devlin et al. 2018) and, where its width is not
// that of the layers, projected, with as little arithmetic on shapes as a dynamic length allows.
#include <utility>

#include "encoder/blocks.h"
#include "encoder/operators.h"

namespace berth::encoder {
namespace {

constexpr const char* kScope = "/embeddings";

// The first rows of the table: constant when the length is, a slice otherwise. The batch is broadcast.
std::string counted_positions(const BlockContext& context) {
  GraphBuilder& builder = context.builder;
  const std::string_view table = context.family.embeddings.positions;
  if (context.sequence_length) return builder.first_rows(table, *context.sequence_length);
  const std::string zero = builder.vector("zero", {0});  // where it starts, and the axis
  return builder.add("Slice", kScope, {builder.weight(table), zero, sequence_length(context), zero});
}

std::string positions_after_padding(const BlockContext& context) {
  GraphBuilder& builder = context.builder;
  const std::string padding = builder.scalar("position_padding", position_padding(context.family, context.config));
  const std::string is_padding = builder.add("Equal", kScope, {"input_ids", padding});
  const std::string is_token =
      cast(builder, kScope, builder.add("Not", kScope, {is_padding}), graph::ElementType::i64);
  const std::string count = builder.add("CumSum", kScope, {is_token, builder.scalar("sequence_axis", std::int64_t{1})});
  const std::string index = builder.add("Add", kScope, {builder.add("Mul", kScope, {count, is_token}), padding});
  return builder.add("Gather", kScope, {builder.weight(context.family.embeddings.positions), index});
}

std::string positions(const BlockContext& context) {
  return context.family.positions == Positions::from_zero ? counted_positions(context)
                                                          : positions_after_padding(context);
}

std::string types(const BlockContext& context) {
  GraphBuilder& builder = context.builder;
  const std::string_view table = context.family.embeddings.types;
  if (!takes_type_ids(context.family, context.config)) return builder.first_rows(table, 1);
  return builder.add("Gather", kScope, {builder.weight(table), "token_type_ids"});
}

}  // namespace

std::string embeddings(const BlockContext& context) {
  GraphBuilder& builder = context.builder;
  const EmbeddingLayout& names = context.family.embeddings;
  const bool projected = projects_embeddings(context.family, context.config);
  std::string x = builder.add("Gather", kScope, {builder.weight(names.words), "input_ids"});
  if (adds_types(context.family, context.config)) x = builder.add("Add", kScope, {x, types(context)});
  if (adds_positions(context.family, context.config)) x = builder.add("Add", kScope, {x, positions(context)});
  if (projected && names.projected_before_norm) x = dense(context, names.projection, x);
  x = layer_norm(context, names.norm, x);
  if (projected && !names.projected_before_norm) x = dense(context, names.projection, x);
  if (!names.masked) return x;
  const std::string visible = unsqueeze(builder, kScope, visible_tokens(context), {2});
  return builder.add("Mul", kScope, {x, visible});
}

}  // namespace berth::encoder
