// Ranges, differences of ranges, and gathers by them.
#include "encoder/distances.h"

#include <utility>
#include <vector>

#include "encoder/operators.h"

namespace berth::encoder {
namespace {

using Integers = std::vector<std::int64_t>;

// 0, 1, … as a column [sequence, 1] or a row [1, sequence].
std::string counting(const BlockContext& context, const std::string& scope, std::int64_t axis) {
  GraphBuilder& builder = context.builder;
  const std::string scalar = builder.vector("scalar_shape", {});
  const std::string end = builder.add("Reshape", scope, {sequence_length(context), scalar});
  const std::string range = builder.add(
      "Range", scope, {builder.scalar("zero_scalar", std::int64_t{0}), end, builder.scalar("one_scalar", std::int64_t{1})});
  return unsqueeze(builder, scope, range, {axis});
}

}  // namespace

std::string distances(const BlockContext& context, const std::string& scope) {
  return context.builder.add("Sub", scope, {counting(context, scope, 1), counting(context, scope, 0)});
}

std::string by_distance(const BlockContext& context, const std::string& scope, const std::string& distances,
                        const std::function<std::int64_t(std::int64_t)>& value) {
  GraphBuilder& builder = context.builder;
  const std::int64_t furthest = context.sequence_length.value_or(max_tokens(context.family, context.config)) - 1;
  Integers values;
  for (std::int64_t distance = -furthest; distance <= furthest; ++distance) values.push_back(value(distance));
  const std::string table = builder.vector("by_distance", std::move(values));
  const std::string row = builder.add("Add", scope, {distances, builder.scalar("furthest", furthest)});
  return builder.add("Gather", scope, {table, row});
}

std::string flat_index(const BlockContext& context, const std::string& scope, RowOf row, const std::string& column,
                       const std::string& width) {
  GraphBuilder& builder = context.builder;
  const std::string token = counting(context, scope, row == RowOf::query ? 1 : 0);
  return builder.add("Add", scope, {builder.add("Mul", scope, {token, width}), column});
}

std::string pick(const BlockContext& context, const std::string& scope, const std::string& scores,
                 const std::string& index) {
  GraphBuilder& builder = context.builder;
  const std::string flat = builder.add("Reshape", scope, {scores, builder.vector("flat_rows", {0, 0, -1})});
  return builder.add("Gather", scope, {flat, index}, {{"axis", std::int64_t{2}}});
}

}  // namespace berth::encoder
