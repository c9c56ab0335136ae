// Runs the built program, as a shell would.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace berth::test {

struct Finished {
  int exit_code = -1;                            // or -1 when a signal ended it
  int signal = 0;
  std::string output;                            // standard output
  std::string messages;                          // standard error
  std::uint64_t peak_anonymous = 0;              // bytes of memory that no file holds, at most, when asked to watch
};

struct RunOptions {
  std::string input{};                           // standard input
  std::vector<std::string> environment{};        // "NAME=VALUE"; the process has these variables and no others
  bool watch_memory = false;
  int signal = 0;                                // sent to it …
  std::chrono::milliseconds signal_after{};      // … so long after its start
};

// `berth WORDS…`, until it ends. Neither stream is a terminal.
[[nodiscard]] Finished run_berth(const std::vector<std::string>& words, const RunOptions& options = {});

}  // namespace berth::test
