// A number for each head and bucket of distances, added to the scaled scores and the same in all layers (Raffel et al.
// 2020, as MPNet has it): so it joins the mask's bias, once for all layers.
#include <algorithm>
#include <cmath>

#include "encoder/attention.h"
#include "encoder/distances.h"
#include "encoder/operators.h"

namespace berth::encoder {
namespace {

constexpr const char* kScope = "/relative_bias";

// Half of the buckets are for keys before the query, half for those after it. Of a half, the first half holds one
// distance a bucket, the others grow with the logarithm, and the last takes all from 128 on. Single precision, as
// PyTorch computes it: where the logarithm's quotient is near a whole number it decides.
std::int64_t bucket_of(std::int64_t distance) {
  constexpr std::int64_t kBuckets = 32;
  constexpr std::int64_t kFurthest = 128;
  const std::int64_t half = kBuckets / 2;
  const std::int64_t first = distance < 0 ? half : 0;
  const std::int64_t steps = std::abs(distance);
  const std::int64_t exact = half / 2;
  if (steps < exact) return first + steps;
  const auto ratio = static_cast<float>(steps) / static_cast<float>(exact);
  const auto range = static_cast<float>(std::log(static_cast<double>(kFurthest) / static_cast<double>(exact)));
  const float grown = std::log(ratio) / range * static_cast<float>(half - exact);
  return first + std::min(exact + static_cast<std::int64_t>(grown), half - 1);
}

}  // namespace

std::unique_ptr<Scores> prepare_relative_bias(const BlockContext& context) {
  GraphBuilder& builder = context.builder;
  const std::string mask = mask_bias(context);
  const std::string buckets = by_distance(context, kScope, distances(context, kScope), bucket_of);
  const std::string table = builder.weight(context.family.encoder.relative_bias);
  const std::string by_token = builder.add("Gather", kScope, {table, buckets});  // [sequence, sequence, heads]
  const std::string by_head =
      builder.add("Transpose", kScope, {by_token}, {{"perm", std::vector<std::int64_t>{2, 0, 1}}});
  return plain_scores(builder.add("Add", kScope, {mask, unsqueeze(builder, kScope, by_head, {0})}));
}

}  // namespace berth::encoder
