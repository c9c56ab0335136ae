// posix_spawn with files for the streams: no pipe can fill up.
#include "support/process.h"

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "base/file.h"
#include "support/paths.h"

namespace berth::test {
namespace {

struct Started {
  pid_t process = -1;
  TemporaryFolder folder;
};

void start(Started& started, const std::vector<std::string>& arguments, const std::string& input) {
  const auto& folder = started.folder.path();
  write_new_file(folder / "in", input);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  const std::string in = folder / "in";
  const std::string out = folder / "out";
  const std::string err = folder / "err";
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, in.c_str(), O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT, 0600);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT, 0600);
  const std::string path = program().string();
  std::vector<char*> argv{const_cast<char*>(path.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const int failure = ::posix_spawn(&started.process, path.c_str(), &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) throw_io_error(path, "cannot be started", failure);
}

Finished wait_for(const Started& started) {
  constexpr std::uint64_t kMaxBytes = 1U << 30;
  int status = 0;
  ::waitpid(started.process, &status, 0);
  Finished finished;
  finished.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  finished.output = read_file(started.folder.path() / "out", kMaxBytes);
  finished.errors = read_file(started.folder.path() / "err", kMaxBytes);
  return finished;
}

}  // namespace

Finished run_program(const std::vector<std::string>& arguments, const std::string& input) {
  Started started;
  start(started, arguments, input);
  return wait_for(started);
}

Finished run_and_signal(const std::vector<std::string>& arguments, int signal, int milliseconds) {
  Started started;
  start(started, arguments, "");
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  ::kill(started.process, signal);
  return wait_for(started);
}

}  // namespace berth::test
