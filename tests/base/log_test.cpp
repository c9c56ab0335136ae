// The log's sink.
#include "base/log.h"

#include <gmock/gmock.h>
#include <string>
#include <thread>
#include <vector>

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

class Log : public ::testing::Test {
 protected:
  ~Log() override { set_log_sink({}); }
};

TEST_F(Log, IsSilentWithoutASink) { log_warning("nobody hears this"); }

TEST_F(Log, GivesSeverityAndMessage) {
  std::vector<std::pair<Severity, std::string>> heard;
  set_log_sink([&](Severity severity, std::string_view message) { heard.emplace_back(severity, message); });
  log_debug("a");
  log_info("b");
  log_warning("c");
  EXPECT_THAT(heard, ElementsAre(Pair(Severity::debug, "a"), Pair(Severity::info, "b"), Pair(Severity::warning, "c")));
  set_log_sink({});
  log_warning("d");
  EXPECT_EQ(heard.size(), 3U);
}

TEST_F(Log, CallsTheSinkOneMessageAtATime) {
  int calls = 0;  // not atomic: the log's lock is what keeps it right (and what the thread sanitizer checks)
  set_log_sink([&](Severity, std::string_view) { ++calls; });
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      for (int j = 0; j < 1000; ++j) log_info("x");
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(calls, 4000);
}

}  // namespace
}  // namespace berth
