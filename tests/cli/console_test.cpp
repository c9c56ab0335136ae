// What is said where: results, messages, the line of progress.
#include "cli/console.h"

#include <gmock/gmock.h>

namespace berth::cli {
namespace {

using ::testing::HasSubstr;

class HandClock final : public Clock {
 public:
  [[nodiscard]] Time now() const override { return Time{} + std::chrono::milliseconds(milliseconds); }
  int milliseconds = 0;
};

class ConsoleTest : public ::testing::Test {
 protected:
  Console make(ConsoleSettings settings) {
    return {settings, [this](std::string_view text) { output_ += text; },
            [this](std::string_view text) { messages_ += text; }, clock_};
  }
  void work(Console& console, int steps, int milliseconds_each) {
    console.begin_stage("verify", static_cast<std::uint64_t>(steps), "texts");
    for (int i = 0; i < steps; ++i) {
      clock_.milliseconds += milliseconds_each;
      console.advance_stage(1);
    }
    console.end_stage();
  }
  HandClock clock_;
  std::string output_;
  std::string messages_;
};

constexpr Terminal kTerminal{.interactive = true, .colour = false, .width = 80};

TEST_F(ConsoleTest, KeepsResultsAndMessagesApart) {
  Console console = make({});
  console.print("result\n");
  console.note("next: berth verify out");
  console.log(Severity::warning, "careful");
  console.log(Severity::info, "detail");
  EXPECT_EQ(output_, "result\n");
  EXPECT_EQ(messages_, "next: berth verify out\nberth: warning: careful\n");
}

TEST_F(ConsoleTest, QuietLeavesResultsAndErrors) {
  Console console = make({.verbosity = Verbosity::quiet, .messages = kTerminal});
  work(console, 100, 1000);
  console.note("note");
  console.log(Severity::warning, "careful");
  console.print("result\n");
  EXPECT_EQ(messages_, "");
  console.report(Error(ErrorKind::io, "file", "is gone"));
  EXPECT_EQ(messages_, "berth: error: file: is gone\n");
  EXPECT_EQ(output_, "result\n");
}

TEST_F(ConsoleTest, VerboseSaysMore) {
  Console console = make({.verbosity = Verbosity::verbose});
  console.log(Severity::info, "detail");
  EXPECT_EQ(messages_, "berth: detail\n");
}

TEST_F(ConsoleTest, ReportsErrorsWithTheirHint) {
  Console console = make({});
  console.report(Error(ErrorKind::not_found, "x", "is gone", "look for it"));
  EXPECT_EQ(messages_, "berth: error: x: is gone\nhint: look for it\n");
  EXPECT_EQ(output_, "");
}

TEST_F(ConsoleTest, WithJsonAnErrorIsTheDocument) {
  Console console = make({.json = true});
  console.report(Error(ErrorKind::not_found, "bad \xFF name", "is gone", "look for it"));
  const json::Value document = json::parse(output_, "output");
  EXPECT_EQ(document["error"]["kind"], "not_found");
  EXPECT_EQ(document["error"]["message"], "is gone");
  EXPECT_EQ(document["error"]["hint"], "look for it");
  EXPECT_EQ(document["error"]["where"], "bad \xEF\xBF\xBD name");
  EXPECT_THAT(messages_, HasSubstr("berth: error: "));
}

TEST_F(ConsoleTest, StrangersTextCannotDriveTheTerminal) {
  Console console = make({});
  console.report(Error(ErrorKind::invalid_input, "a\x1b[2Jb", "has \r and \xC2\x9B"));
  EXPECT_EQ(messages_, "berth: error: a\\x1b[2Jb: has \\x0d and \\x9b\n");
}

TEST_F(ConsoleTest, ColoursOnlyWhereTheTerminalHasThem) {
  Console console = make({.messages = {.interactive = true, .colour = true, .width = 80}});
  console.report(Error(ErrorKind::io, "", "gone"));
  EXPECT_EQ(messages_, "berth: \x1b[31merror: \x1b[0mgone\n");
}

TEST_F(ConsoleTest, DrawsABarTenTimesASecondAndTakesItAway) {
  Console console = make({.messages = kTerminal});
  work(console, 100, 20);
  EXPECT_THAT(messages_, HasSubstr("verify  "));
  EXPECT_THAT(messages_, HasSubstr("50/100 texts  50 texts/s  1.0 s left"));
  std::size_t draws = 0;
  for (std::size_t at = messages_.find("texts/s"); at != std::string::npos; at = messages_.find("texts/s", at + 1)) {
    ++draws;
  }
  EXPECT_LE(draws, 20U);
  EXPECT_TRUE(messages_.ends_with("\r\x1b[K"));
}

TEST_F(ConsoleTest, ALineOfTheLogDoesNotTearTheBar) {
  Console console = make({.messages = kTerminal});
  console.begin_stage("verify", 10, "texts");
  clock_.milliseconds = 500;
  console.advance_stage(1);
  messages_.clear();
  console.log(Severity::warning, "careful");
  EXPECT_EQ(messages_, "\r\x1b[Kberth: warning: careful\n");
  messages_.clear();
  console.report(Error(ErrorKind::io, "", "gone"));
  console.end_stage();
  EXPECT_EQ(messages_, "berth: error: gone\n");
}

TEST_F(ConsoleTest, ALogHearsOfProgressOnlyWhenVerboseAndRarely) {
  Console console = make({});
  work(console, 100, 1000);
  EXPECT_EQ(messages_, "");
  Console verbose = make({.verbosity = Verbosity::verbose});
  work(verbose, 25, 1000);
  EXPECT_EQ(messages_,
            "berth: verify: 10/25 texts  1.0 texts/s  15 s left\n"
            "berth: verify: 20/25 texts  1.0 texts/s  5.0 s left\n"
            "berth: verify: 25 texts in 25 s\n");
}

TEST_F(ConsoleTest, ProgressStopsWhenItIsCancelled) {
  Console console = make({});
  Cancellation cancellation;
  ConsoleProgress progress(console, cancellation);
  EXPECT_NO_THROW(progress.throw_if_cancelled());
  cancellation.cancel();
  EXPECT_THROW(progress.throw_if_cancelled(), Error);
}

}  // namespace
}  // namespace berth::cli
