// The options of every command that runs a model, and what they make of the engine's.
#pragma once

#include "berth/engine.h"
#include "cli/arguments.h"

namespace berth::cli {

[[nodiscard]] const OptionGroup& engine_option_group() noexcept;

// Needs a command that has the group above. What is not given stays as the engine has it.
[[nodiscard]] engine::Options engine_options(const Arguments& arguments);

}  // namespace berth::cli
