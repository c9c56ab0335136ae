// A number for each head and bucket of distances, added to the scaled scores and the same in all layers (Raffel et al.
// 2020, as MPNet has it): so it joins the mask's bias, once for all layers.
#include "encoder/attention.h"
#include "encoder/buckets.h"
#include "encoder/distances.h"
#include "encoder/operators.h"

namespace berth::encoder {
namespace {

constexpr const char* kScope = "/relative_bias";

}  // namespace

std::unique_ptr<Scores> prepare_relative_bias(const BlockContext& context) {
  GraphBuilder& builder = context.builder;
  const std::string mask = mask_bias(context);
  const std::string buckets = by_distance(context, kScope, distances(context, kScope), mpnet_bucket);
  const std::string table = builder.weight(context.family.encoder.relative_bias);
  const std::string by_token = builder.add("Gather", kScope, {table, buckets});  // [sequence, sequence, heads]
  const std::string by_head =
      builder.add("Transpose", kScope, {by_token}, {{"perm", std::vector<std::int64_t>{2, 0, 1}}});
  return plain_scores(builder.add("Add", kScope, {mask, unsqueeze(builder, kScope, by_head, {0})}));
}

}  // namespace berth::encoder
