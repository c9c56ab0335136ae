// The pieces of text that the help and the documentation share.
#pragma once

#include <string>

#include "cli/command.h"

namespace berth::cli {

[[nodiscard]] std::string usage_of(const Command& command);          // "berth run PATH [TEXT...]"
[[nodiscard]] std::string option_term(const Option& option);         // "-o, --output DIR"
[[nodiscard]] std::string option_explanation(const Option& option);  // "Where to … (default: …)"

}  // namespace berth::cli
