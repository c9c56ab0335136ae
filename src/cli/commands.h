// The list of commands.
#pragma once

#include <span>
#include <string_view>

#include "cli/command.h"

namespace berth::cli {

// In the order in which a user meets them.
[[nodiscard]] std::span<const Command* const> commands() noexcept;

// Throws Error{usage} with the nearest name that is known.
[[nodiscard]] const Command& find_command(std::string_view name);

}  // namespace berth::cli
