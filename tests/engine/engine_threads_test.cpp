// Many callers at once. (Under tsan, what ONNX Runtime does inside is not instrumented: tsan_suppressions.cpp.)
#include <gmock/gmock.h>

#include <thread>

#include "engine/engine_support.h"

namespace berth::engine {
namespace {

using test::batch_of;
using test::error_of;
using test::model;

void call_from_many_threads(const Options& options) {
  const Engine engine(model("echo.onnx"), options);
  constexpr int kCallers = 6;
  constexpr int kRounds = 40;
  std::vector<std::jthread> callers;
  for (int caller = 0; caller < kCallers; ++caller) {
    callers.emplace_back([&engine, caller] {
      const std::vector<std::string> wanted{"starts"};
      for (int round = 0; round < kRounds; ++round) {
        Batch batch;
        std::vector<float> expected;
        for (int i = 0; i <= (caller + round) % 5; ++i) {
          const int id = 1000 * caller + 10 * round + i;
          const std::vector<std::int32_t> ids(static_cast<std::size_t>(1 + (i * 37 + round) % 60), id);
          batch.add(ids);
          expected.insert(expected.end(), ids.begin(), ids.end());
        }
        EXPECT_EQ(engine.run(batch, wanted)[0].values, expected);
      }
    });
  }
}

TEST(EngineThreads, AnswerEachCallerUnderTheLatencySchedule) { call_from_many_threads({}); }

TEST(EngineThreads, AnswerEachCallerUnderTheThroughputSchedule) {
  Options options;
  options.schedule = Schedule::throughput;
  options.batch_tokens = 64;
  call_from_many_threads(options);
}

TEST(EngineThreads, ShareTheBudgetBetweenEngines) {
  Options throughput;
  throughput.schedule = Schedule::throughput;
  std::jthread one([&] { call_from_many_threads(throughput); });
  std::jthread other([] { call_from_many_threads({}); });
}

TEST(EngineThreads, PassOnAnErrorOfAnyMicroBatch) {
  Options options;
  options.schedule = Schedule::throughput;
  options.batch_tokens = 8;
  const Engine engine(model("tiny_bert.onnx"), options);
  Batch batch;
  for (int i = 0; i < 40; ++i) batch.add(std::vector<std::int32_t>(8, i == 31 ? 9999 : 5));
  EXPECT_EQ(error_of([&] { static_cast<void>(engine.run(batch)); }).kind(), ErrorKind::invalid_input);
}

}  // namespace
}  // namespace berth::engine
