// Child processes by posix_spawn, with files for their streams: no pipe can fill up and stop the child.
#include "support/process.h"

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <fstream>
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

// RssAnon of /proc/PID/status; 0 once the process has ended.
std::uint64_t anonymous_bytes(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string word; status >> word;) {
    std::uint64_t kilobytes = 0;
    if (word == "RssAnon:" && status >> kilobytes) return kilobytes * 1024;
  }
  return 0;
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
  Finished finished;
  int status = 0;
  if (options.watch_memory) {
    while (::waitpid(child, &status, WNOHANG) == 0) {
      finished.peak_anonymous = std::max(finished.peak_anonymous, anonymous_bytes(child));
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  } else {
    ::waitpid(child, &status, 0);
  }
  if (WIFEXITED(status)) finished.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) finished.signal = WTERMSIG(status);
  finished.output = read_file(output, kLargestOutput);
  finished.messages = read_file(messages, kLargestOutput);
  return finished;
}

}  // namespace berth::test
