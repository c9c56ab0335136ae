// The two rules; tests/encoder/buckets_test.cpp holds them against PyTorch's integers.
#include "encoder/buckets.h"

#include <algorithm>
#include <cmath>

namespace berth::encoder {
namespace {

// Up to half of the buckets each distance has its own; beyond, they share by the logarithm.
std::int64_t deberta_bucket(std::int64_t distance, const checkpoint::DisentangledAttention& own) {
  if (own.buckets == 0) return distance;
  const std::int64_t middle = own.buckets / 2;
  const std::int64_t steps = std::abs(distance);
  if (steps <= middle) return distance;
  const float ratio = static_cast<float>(steps) / static_cast<float>(middle);
  const auto furthest = static_cast<float>(static_cast<double>(own.max_distance - 1) / static_cast<double>(middle));
  const float grown = std::log(ratio) / std::log(furthest) * static_cast<float>(middle - 1);
  const auto bucket = static_cast<std::int64_t>(std::ceil(grown)) + middle;
  return distance < 0 ? -bucket : bucket;
}

}  // namespace

// Half of the buckets are for keys before the query, half for those after it. Of a half, the first half holds one
// distance a bucket, the others grow with the logarithm.
std::int64_t mpnet_bucket(std::int64_t distance) {
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

std::int64_t deberta_row(std::int64_t distance, const checkpoint::DisentangledAttention& own) {
  return std::clamp<std::int64_t>(deberta_bucket(distance, own) + own.span(), 0, 2 * own.span() - 1);
}

}  // namespace berth::encoder
