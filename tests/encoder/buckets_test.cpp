// Every distance's bucket against PyTorch's (tools/make_bucket_goldens.py).
#include <gtest/gtest.h>

#include <functional>

#include "base/json.h"
#include "encoder/buckets.h"
#include "support/paths.h"

namespace berth::encoder {
namespace {

void expect_buckets(const json::Value& golden, const std::function<std::int64_t(std::int64_t)>& bucket_of) {
  const auto furthest = golden.at("furthest").get<std::int64_t>();
  const auto rows = golden.at("rows").get<std::vector<std::pair<std::int64_t, std::int64_t>>>();
  ASSERT_EQ(rows.front().first, -furthest);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::int64_t end = row + 1 < rows.size() ? rows[row + 1].first : furthest + 1;
    for (std::int64_t distance = rows[row].first; distance < end; ++distance) {
      ASSERT_EQ(bucket_of(distance), rows[row].second) << "distance " << distance;
    }
  }
}

json::Value goldens() { return json::read_document(test::data("encoder/buckets.json")); }

TEST(GoldenBuckets, AreThoseOfMpnet) { expect_buckets(goldens().at("mpnet"), mpnet_bucket); }

TEST(GoldenBuckets, AreThoseOfDeberta) {
  for (const json::Value& golden : goldens().at("deberta")) {
    SCOPED_TRACE(golden.at("max_distance").dump());
    checkpoint::DisentangledAttention own;
    own.buckets = golden.at("buckets").get<std::int64_t>();
    own.max_distance = golden.at("max_distance").get<std::int64_t>();
    expect_buckets(golden, [&](std::int64_t distance) { return deberta_row(distance, own); });
  }
}

}  // namespace
}  // namespace berth::encoder
