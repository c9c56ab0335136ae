// The built program from outside: exit codes, streams, signals, pipes.
#include <csignal>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/json.h"
#include "berth/error.h"
#include "cli/exit_code.h"
#include "cli/interrupts.h"
#include "support/paths.h"
#include "support/process.h"

namespace berth {
namespace {

using test::run_berth;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kModel = test::example_model("sentiment-small-en").string();

TEST(SystemProgram, BareItPrintsTheRoad) {
  const test::Finished bare = run_berth({});
  EXPECT_EQ(bare.exit_code, 0);
  EXPECT_THAT(bare.output, AllOf(HasSubstr("berth export CHECKPOINT -o DIR"), HasSubstr("berth run PATH")));
  EXPECT_EQ(bare.messages, "");
}

TEST(SystemProgram, HelpIsTheSameWhicheverWayItIsAskedFor) {
  const std::string help = run_berth({"help", "export"}).output;
  EXPECT_THAT(help, AllOf(HasSubstr("--fixed-shape BxS"), HasSubstr("Examples:")));
  EXPECT_EQ(run_berth({"export", "--help"}).output, help);
  EXPECT_EQ(run_berth({"export", "--nonsense", "-h"}).output, help);
  EXPECT_EQ(run_berth({"help"}).output, run_berth({"--help"}).output);
  EXPECT_EQ(run_berth({"help"}).exit_code, 0);
}

TEST(SystemProgram, VersionsForPeopleAndPrograms) {
  EXPECT_THAT(run_berth({"--version"}).output,
              AllOf(StartsWith("berth "), HasSubstr("\nONNX Runtime "), HasSubstr("\nONNX ")));
  const json::Value document = json::parse(run_berth({"--version", "--json"}).output, "output");
  EXPECT_TRUE(document.contains("berth") && document.contains("onnxruntime") && document.contains("onnx"));
}

TEST(SystemProgram, NonsenseEndsWithTwoAndOneLine) {
  const std::vector<std::vector<std::string>> nonsense{{"run", kModel, "--threads", "0"},
                                                       {"run", kModel, "--threads", "-1"},
                                                       {"run", kModel, "--threads", "abc"},
                                                       {"run", kModel, "--no-such-option"},
                                                       {"run", "no such file"},
                                                       {"no-such-command"},
                                                       {"--threads", "2"},
                                                       {"export"}};
  for (const auto& words : nonsense) {
    const test::Finished finished = run_berth(words);
    EXPECT_EQ(finished.exit_code, 2) << finished.messages;
    EXPECT_EQ(finished.output, "");
    const std::string first_line = finished.messages.substr(0, finished.messages.find('\n') + 1);
    const std::string rest = finished.messages.substr(first_line.size());
    EXPECT_THAT(first_line, AllOf(StartsWith("berth: error: "), EndsWith("\n")));
    EXPECT_TRUE(rest.empty() || (rest.starts_with("hint: ") && rest.find('\n') == rest.size() - 1)) << rest;
  }
}

TEST(SystemProgram, WithJsonAnErrorIsOneDocument) {
  const test::Finished finished = run_berth({"rnu", "--json"});
  EXPECT_EQ(finished.exit_code, 2);
  const json::Value document = json::parse(finished.output, "output");
  EXPECT_EQ(document["error"]["kind"], "usage");
  EXPECT_EQ(document["error"]["hint"], "did you mean run?");
}

TEST(SystemProgram, ErrorsHaveNoColourOutsideATerminal) {
  const test::Finished finished = run_berth({"rnu"}, {.input = "", .environment = {"TERM=xterm-256color"}});
  EXPECT_THAT(finished.messages, ::testing::Not(HasSubstr("\x1b")));
}

// Starts the program with its standard output at `descriptor`.
int exit_code_with_output(int descriptor) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, descriptor, 1);
  ::posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  std::string program = test::program().string();
  std::string help = "help";
  char* words[] = {program.data(), help.data(), nullptr};
  pid_t child = 0;
  EXPECT_EQ(::posix_spawn(&child, program.c_str(), &actions, nullptr, words, environ), 0);
  ::posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(SystemProgram, AClosedPipeEndsQuietly) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  EXPECT_EQ(exit_code_with_output(ends[1]), static_cast<int>(cli::ExitCode::closed_pipe));
  ::close(ends[1]);
}

TEST(SystemProgram, AFullDiskIsAnError) {
  const int full = ::open("/dev/full", O_WRONLY);
  ASSERT_GE(full, 0);
  EXPECT_EQ(exit_code_with_output(full), 1);
  ::close(full);
}

TEST(ExitCode, EveryKindOfErrorHasOne) {
  for (int kind = 0; kind <= static_cast<int>(ErrorKind::internal); ++kind) {
    const cli::ExitCode code = cli::exit_code_of(static_cast<ErrorKind>(kind));
    const auto expected = kind == static_cast<int>(ErrorKind::usage)       ? cli::ExitCode::usage
                          : kind == static_cast<int>(ErrorKind::cancelled) ? cli::ExitCode::interrupted
                                                                           : cli::ExitCode::failed;
    EXPECT_EQ(code, expected) << name_of(static_cast<ErrorKind>(kind));
  }
}

TEST(Interrupts, TheFirstCancelsAndTheSecondKills) {
  EXPECT_EXIT(
      {
        const Cancellation& cancellation = cli::watch_interrupts();
        std::raise(SIGINT);
        if (!cancellation.cancelled()) ::_exit(1);
        std::raise(SIGINT);
        ::_exit(2);
      },
      ::testing::KilledBySignal(SIGINT), "");
}

TEST(Interrupts, WhatTheParentIgnoredStaysIgnored) {
  EXPECT_EXIT(
      {
        ::signal(SIGHUP, SIG_IGN);
        const Cancellation& cancellation = cli::watch_interrupts();
        std::raise(SIGHUP);
        ::_exit(cancellation.cancelled() ? 1 : 0);
      },
      ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace berth
