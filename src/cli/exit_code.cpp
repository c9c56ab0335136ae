// The exit codes, and which kind of error ends with which.
#include "cli/exit_code.h"

#include <array>

namespace berth::cli {
namespace {

constexpr std::array kExitCodes{
    ExitCodeRow{ExitCode::done, "done"},
    ExitCodeRow{ExitCode::failed, "could not: bad input, unsupported, input or output failed"},
    ExitCodeRow{ExitCode::usage, "the command line makes no sense"},
    ExitCodeRow{ExitCode::check_failed, "a check failed"},
    ExitCodeRow{ExitCode::rows_failed, "done, but some rows failed"},
    ExitCodeRow{ExitCode::interrupted, "interrupted; nothing half-written is left"},
    ExitCodeRow{ExitCode::closed_pipe, "the program that read the output went away (as shells report SIGPIPE)"},
};

}  // namespace

std::span<const ExitCodeRow> exit_codes() noexcept { return kExitCodes; }

ExitCode exit_code_of(ErrorKind kind) noexcept {
  switch (kind) {
    case ErrorKind::usage: return ExitCode::usage;
    case ErrorKind::cancelled: return ExitCode::interrupted;
    case ErrorKind::invalid_input:
    case ErrorKind::unsupported:
    case ErrorKind::not_found:
    case ErrorKind::mismatch:
    case ErrorKind::limit:
    case ErrorKind::busy:
    case ErrorKind::io:
    case ErrorKind::internal: return ExitCode::failed;
  }
  return ExitCode::failed;
}

}  // namespace berth::cli
