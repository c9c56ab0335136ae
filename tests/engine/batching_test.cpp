// Cutting and padding, without a runtime.
#include "engine/batching.h"

#include <algorithm>
#include <limits>
#include <random>

#include "engine/engine_support.h"

namespace berth::engine {
namespace {

using test::batch_of;
using test::error_of;

Batch batch_with_lengths(const std::vector<std::size_t>& lengths) {
  Batch batch;
  for (const std::size_t length : lengths) batch.add(std::vector<std::int32_t>(length, 7));
  return batch;
}

std::size_t padded(const Plan& plan) {
  std::size_t tokens = 0;
  for (const MicroBatch& micro_batch : plan.micro_batches) tokens += micro_batch.rows * micro_batch.length;
  return tokens;
}

TEST(Plan, CoversEverySequenceOnceWithinTheBudget) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::size_t> lengths(random() % 50);
    for (std::size_t& length : lengths) length = 1 + random() % 60;
    const Plan plan = plan_micro_batches(batch_with_lengths(lengths).offsets, 100, {});
    std::size_t next = 0;
    for (const MicroBatch& micro_batch : plan.micro_batches) {
      EXPECT_EQ(micro_batch.first, next);
      EXPECT_EQ(micro_batch.rows, micro_batch.count);
      EXPECT_TRUE(micro_batch.count == 1 || micro_batch.count * micro_batch.length <= 100);
      for (std::size_t i = 0; i < micro_batch.count; ++i) {
        EXPECT_LE(lengths[plan.order[next + i]], micro_batch.length);
      }
      next += micro_batch.count;
    }
    EXPECT_EQ(next, lengths.size());
    std::vector<std::size_t> sorted = plan.order;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < sorted.size(); ++i) EXPECT_EQ(sorted[i], i);
  }
}

TEST(Plan, RunsASequenceBeyondTheBudgetAlone) {
  const Plan plan = plan_micro_batches(batch_with_lengths({3, 500, 3}).offsets, 100, {});
  ASSERT_EQ(plan.micro_batches.size(), 2U);
  EXPECT_EQ(plan.micro_batches[0].count, 1U);
  EXPECT_EQ(plan.micro_batches[0].length, 500U);
}

TEST(Plan, SeparatesLengthsWhenThatSavesMoreThanARunCosts) {
  const Plan apart = plan_micro_batches(batch_with_lengths({200, 5, 5, 5, 5, 5, 5, 5}).offsets, 4096, {});
  EXPECT_EQ(apart.micro_batches.size(), 2U);
  EXPECT_EQ(padded(apart), 235U);
  const Plan together = plan_micro_batches(batch_with_lengths({6, 5, 4, 5, 6, 5}).offsets, 4096, {});
  EXPECT_EQ(together.micro_batches.size(), 1U);
}

// The oracle: every way to cut a short sorted list.
TEST(Plan, IsAsCheapAsTheBestOfAllCuts) {
  std::mt19937 random(5);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::size_t> lengths(1 + random() % 9);
    for (std::size_t& length : lengths) length = 1 + random() % 90;
    const Plan plan = plan_micro_batches(batch_with_lengths(lengths).offsets, 150, {});
    std::sort(lengths.rbegin(), lengths.rend());
    std::size_t best = std::numeric_limits<std::size_t>::max();
    for (std::size_t cuts = 0; cuts < std::size_t{1} << (lengths.size() - 1); ++cuts) {
      std::size_t cost = 0;
      for (std::size_t first = 0, i = 0; i < lengths.size(); ++i) {
        const bool ends = i + 1 == lengths.size() || (cuts >> i & 1U) != 0;
        if (!ends) continue;
        const std::size_t tokens = lengths[first] * (i + 1 - first);
        cost += tokens > 150 && i != first ? 1000000 : tokens + kRunCost;
        first = i + 1;
      }
      best = std::min(best, cost);
    }
    EXPECT_EQ(padded(plan) + kRunCost * plan.micro_batches.size(), best);
  }
}

TEST(Plan, FillsAFixedShape) {
  const Plan plan = plan_micro_batches(batch_with_lengths({3, 8, 5}).offsets, 4096, {2, 8});
  ASSERT_EQ(plan.micro_batches.size(), 2U);
  EXPECT_EQ(plan.micro_batches[1].count, 1U);
  EXPECT_EQ(plan.micro_batches[1].rows, 2U);
  EXPECT_EQ(plan.micro_batches[1].length, 8U);
}

TEST(Plan, OfNothingIsEmpty) { EXPECT_TRUE(plan_micro_batches(Batch().offsets, 10, {}).micro_batches.empty()); }

TEST(Fill, PadsOnTheRightAndGivesEmptyRowsOneToken) {
  Batch batch;
  batch.add(std::vector<std::int32_t>{11, 12}, std::vector<std::int32_t>{0, 1});
  batch.add(std::vector<std::int32_t>{21, 22, 23}, std::vector<std::int32_t>{1, 1, 0});
  const Plan plan = plan_micro_batches(batch.offsets, 4096, {3, 4});
  const auto filled = [&](Field field) {
    std::vector<std::int32_t> values(12, -1);
    fill(field, batch, plan, plan.micro_batches[0], values.data());
    return values;
  };
  EXPECT_EQ(filled(Field::ids), (std::vector<std::int32_t>{21, 22, 23, 0, 11, 12, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(filled(Field::mask), (std::vector<std::int32_t>{1, 1, 1, 0, 1, 1, 0, 0, 1, 0, 0, 0}));
  EXPECT_EQ(filled(Field::type_ids), (std::vector<std::int32_t>{1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(filled(Field::position_ids), (std::vector<std::int32_t>{0, 1, 2, 0, 0, 1, 0, 0, 0, 0, 0, 0}));
}

TEST(CheckBatch, NamesWhatDoesNotFit) {
  Batch batch = batch_of({{1, 2}, {3}});
  EXPECT_NO_THROW(check(batch, {}));
  batch.type_ids = {0};
  EXPECT_STREQ(error_of([&] { check(batch, {}); }).what(),
               "batch: has 1 type ids, expected none or one for each of 3 ids");
  EXPECT_STREQ(error_of([&] {
                 check(batch_of({{1}, {}}), {});
               }).what(),
               "batch: sequence 1 has no tokens, expected at least one");
  EXPECT_STREQ(error_of([&] { check(batch_of({{1, -4}}), {}); }).what(), "batch: has the negative id -4");
  Batch torn = batch_of({{1, 2}});
  torn.offsets.back() = 5;
  EXPECT_EQ(error_of([&] { check(torn, {}); }).kind(), ErrorKind::invalid_input);
  torn.offsets.clear();
  EXPECT_EQ(error_of([&] { check(torn, {}); }).kind(), ErrorKind::invalid_input);
  torn = batch_of({{1, 2}, {3}});
  torn.offsets = {0, 9, 3};  // ends well, runs out on the way
  EXPECT_EQ(error_of([&] { check(torn, {}); }).kind(), ErrorKind::invalid_input);
  const Error longer = error_of([&] { check(batch_of({{1}, {1, 2, 3}}), {0, 2}); });
  EXPECT_EQ(longer.kind(), ErrorKind::limit);
  EXPECT_STREQ(longer.what(), "batch: sequence 1 has 3 tokens, and the graph has the fixed length 2");
}

TEST(BatchAdd, KeepsTypeIdsAsLongAsIds) {
  Batch batch;
  batch.add(std::vector<std::int32_t>{1, 2});
  EXPECT_TRUE(batch.type_ids.empty());
  batch.add(std::vector<std::int32_t>{3}, std::vector<std::int32_t>{1});
  batch.add(std::vector<std::int32_t>{4, 5});
  EXPECT_EQ(batch.type_ids, (std::vector<std::int32_t>{0, 0, 1, 0, 0}));
  EXPECT_EQ(batch.offsets, (std::vector<std::int64_t>{0, 2, 3, 5}));
  EXPECT_EQ(batch.size(), 3U);
}

}  // namespace
}  // namespace berth::engine
