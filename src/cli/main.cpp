// The program berth.
#include <algorithm>
#include <string>
#include <vector>

#include "cli/program.h"

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  return berth::cli::run_program(words);
}
