// The program without its main(): words in, exit code out.
#pragma once

#include <span>
#include <string>

namespace berth::cli {

// Uses the process's standard output, standard error and signals. Never throws: every failure becomes a sentence on
// standard error and an exit code.
[[nodiscard]] int run_program(std::span<const std::string> words) noexcept;

}  // namespace berth::cli
