// Running the built program as a user does.
#pragma once

#include <string>
#include <vector>

namespace berth::test {

struct Finished {
  int exit_code = -1;                            // 128 + signal when a signal ended it
  std::string output;
  std::string errors;
};

// Runs PROGRAM with the arguments, `input` on its standard input.
Finished run_program(const std::vector<std::string>& arguments, const std::string& input = "");

// Starts it and sends `signal` after `milliseconds`; whatever has been written is returned.
Finished run_and_signal(const std::vector<std::string>& arguments, int signal, int milliseconds);

}  // namespace berth::test
