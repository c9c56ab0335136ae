// Help and documentation, written from the tables of the commands.
#pragma once

#include <string>

#include "cli/command.h"

namespace berth::cli {

[[nodiscard]] std::string road();                                    // what bare `berth` says: the way in a few lines
[[nodiscard]] std::string overview();                                // `berth help`
[[nodiscard]] std::string help_of(const Command& command);           // `berth help COMMAND`
[[nodiscard]] std::string command_line_page();                       // docs/cli.md

}  // namespace berth::cli
