// The gate: never more threads than the budget, and nobody is overtaken for ever.
#include "engine/gate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>
#include <vector>

namespace berth::engine {
namespace {

TEST(Gate, HoldsRunsToTheBudget) {
  Gate gate(3);
  std::atomic<std::size_t> inside{0};
  std::atomic<std::size_t> most{0};
  {
    std::vector<std::jthread> callers;
    for (std::size_t i = 0; i < 6; ++i) {
      callers.emplace_back([&, cost = i % 3 + 1] {
        for (int round = 0; round < 200; ++round) {
          const Gate::Pass pass(gate, cost);
          const std::size_t now = inside += cost;
          for (std::size_t seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
          }
          std::this_thread::yield();
          inside -= cost;
        }
      });
    }
  }
  EXPECT_LE(most, 3U);
  EXPECT_EQ(inside, 0U);
}

TEST(Gate, TakesARequestBeyondTheBudgetAsAllOfIt) {
  Gate gate(2);
  { const Gate::Pass all(gate, 9); }
  const Gate::Pass again(gate, 2);
}

TEST(Gate, ServesAWideRequestBeforeNarrowOnesThatCameLater) {
  Gate gate(2);
  std::atomic<bool> wide_served{false};
  std::atomic<bool> narrow_saw_wide{false};
  std::optional<Gate::Pass> first(std::in_place, gate, std::size_t{1});
  std::jthread wide([&] {
    const Gate::Pass pass(gate, 2);
    wide_served = true;
  });
  while (gate.waiting() < 1) std::this_thread::yield();
  std::jthread narrow([&] {
    const Gate::Pass pass(gate, 1);  // one thread is free, and the wide request is first in line
    narrow_saw_wide = wide_served.load();
  });
  while (gate.waiting() < 2) std::this_thread::yield();
  first.reset();
  wide.join();
  narrow.join();
  EXPECT_TRUE(narrow_saw_wide);
}

}  // namespace
}  // namespace berth::engine
