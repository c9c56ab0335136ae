// The options that every command has.
#pragma once

#include "cli/command.h"

namespace berth::cli {

[[nodiscard]] const OptionGroup& common_options() noexcept;

}  // namespace berth::cli
