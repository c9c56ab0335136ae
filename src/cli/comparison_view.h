// A comparison of numbers as a person reads it, and as JSON.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "berth/workflow.h"
#include "cli/console.h"
#include "cli/exit_code.h"

namespace berth::cli {

// Lines without a final line end: an output each, then batches and labels.
[[nodiscard]] std::string text_of(const workflow::Comparison& comparison);
[[nodiscard]] json::Value json_of(const workflow::Comparison& comparison);

// Says why it did not pass, and `consequence`; the exit code of a failed check.
ExitCode report_failure(const workflow::Comparison& comparison, std::string_view consequence, Console& console);

// A path as a shell takes it.
[[nodiscard]] std::string quoted(const std::filesystem::path& path);

}  // namespace berth::cli
