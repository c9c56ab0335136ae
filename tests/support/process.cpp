// Child processes by posix_spawn, with files for their streams: no pipe can fill up and stop the child.
#include "support/process.h"

#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>

#include "base/file.h"
#include "support/paths.h"

namespace berth::test {
namespace {

constexpr std::uint64_t kLargestOutput = 1U << 30;

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

}  // namespace

Finished run_berth(const std::vector<std::string>& words, const RunOptions& options) {
  const TemporaryFolder streams;
  const fs::path input = streams.path() / "in";
  const fs::path output = streams.path() / "out";
  const fs::path messages = streams.path() / "err";
  write_new_file(input, options.input);

  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 0, input.c_str(), O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_WRONLY | O_CREAT, 0600);
  ::posix_spawn_file_actions_addopen(&actions, 2, messages.c_str(), O_WRONLY | O_CREAT, 0600);
  std::vector<std::string> arguments{program().string()};
  arguments.insert(arguments.end(), words.begin(), words.end());
  std::vector<std::string> environment = options.environment;
  pid_t child = 0;
  const int failure = ::posix_spawn(&child, program().c_str(), &actions, nullptr, pointers(arguments).data(),
                                    pointers(environment).data());
  ::posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) throw std::runtime_error("cannot start " + program().string());

  if (options.signal != 0) {
    std::this_thread::sleep_for(options.signal_after);
    ::kill(child, options.signal);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  Finished finished;
  if (WIFEXITED(status)) finished.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) finished.signal = WTERMSIG(status);
  finished.output = read_file(output, kLargestOutput);
  finished.messages = read_file(messages, kLargestOutput);
  return finished;
}

}  // namespace berth::test
