// What the program's exit status means: one table, for the program, its help and its documentation.
#pragma once

#include <span>
#include <string_view>

#include "berth/error.h"

namespace berth::cli {

enum class ExitCode : int {
  done = 0,
  failed = 1,
  usage = 2,
  check_failed = 3,
  rows_failed = 4,
  interrupted = 130,
  closed_pipe = 141,
};

struct ExitCodeRow {
  ExitCode code;
  std::string_view meaning;
};

[[nodiscard]] std::span<const ExitCodeRow> exit_codes() noexcept;

// The exit code for an error that ended a command. Commands return check_failed and rows_failed themselves.
[[nodiscard]] ExitCode exit_code_of(ErrorKind kind) noexcept;

}  // namespace berth::cli
