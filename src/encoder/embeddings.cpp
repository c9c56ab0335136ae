// The sum of a token's word, position and segment vectors, normalized (Devlin et al. 2018), with as little arithmetic
// on shapes as a dynamic length allows.
#include <utility>

#include "encoder/blocks.h"

namespace berth::encoder {
namespace {

using Integers = std::vector<std::int64_t>;

constexpr const char* kScope = "/embeddings";
constexpr std::int64_t kOpsetOfShapeRanges = 15;  // Shape with the attributes start and end

// The sequence length as a tensor [1].
std::string length(GraphBuilder& builder) {
  if (builder.opset() >= kOpsetOfShapeRanges) {
    return builder.add("Shape", kScope, {"input_ids"}, {{"start", std::int64_t{1}}, {"end", std::int64_t{2}}});
  }
  return builder.add("Gather", kScope,
                     {builder.add("Shape", kScope, {"input_ids"}), builder.vector("axis_of_length", {1})});
}

// The first rows of the table: constant when the length is, a slice otherwise. The batch is broadcast.
std::string counted_positions(const BlockContext& context) {
  GraphBuilder& builder = context.builder;
  const std::string_view table = context.family.embeddings.positions;
  if (context.sequence_length) return builder.first_rows(table, *context.sequence_length);
  const std::string zero = builder.vector("zero", {0});  // where it starts, and the axis
  return builder.add("Slice", kScope, {builder.weight(table), zero, length(builder), zero});
}

std::string positions_after_padding(const BlockContext& context) {
  GraphBuilder& builder = context.builder;
  const std::string padding = builder.scalar("pad_token_id", context.config.pad_token_id.value_or(0));
  const std::string is_padding = builder.add("Equal", kScope, {"input_ids", padding});
  const std::string is_token = builder.add("Cast", kScope, {builder.add("Not", kScope, {is_padding})},
                                           {{"to", static_cast<std::int64_t>(graph::ElementType::i64)}});
  const std::string count = builder.add("CumSum", kScope, {is_token, builder.scalar("sequence_axis", std::int64_t{1})});
  const std::string index = builder.add("Add", kScope, {builder.add("Mul", kScope, {count, is_token}), padding});
  return builder.add("Gather", kScope, {builder.weight(context.family.embeddings.positions), index});
}

std::string positions(const BlockContext& context) {
  return context.family.positions == Positions::from_zero ? counted_positions(context)
                                                          : positions_after_padding(context);
}

}  // namespace

std::string embeddings(const BlockContext& context) {
  GraphBuilder& builder = context.builder;
  const EmbeddingLayout& names = context.family.embeddings;
  std::string sum = builder.add("Gather", kScope, {builder.weight(names.words), "input_ids"});
  if (!names.types.empty()) {
    const std::string types = context.family.type_ids_input
                                  ? builder.add("Gather", kScope, {builder.weight(names.types), "token_type_ids"})
                                  : builder.first_rows(names.types, 1);
    sum = builder.add("Add", kScope, {sum, types});
  }
  sum = builder.add("Add", kScope, {sum, positions(context)});
  const bool projected = !names.projection.empty() && builder.has_weight(weight_of(names.projection));
  if (!projected) return layer_norm(context, names.norm, sum);
  return dense(context, names.projection, layer_norm(context, names.norm, sum));
}

}  // namespace berth::encoder
