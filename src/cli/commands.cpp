// Every command of the program: to add one, write command_NAME.cpp and name its Command here.
#include "cli/commands.h"

#include <array>
#include <vector>

#include "base/nearest.h"
#include "berth/error.h"

namespace berth::cli {

extern const Command kCheck;
extern const Command kExport;
extern const Command kVerify;
extern const Command kRun;
extern const Command kDocs;

namespace {

constexpr std::array kCommands{&kCheck, &kExport, &kVerify, &kRun, &kDocs};

}  // namespace

std::span<const Command* const> commands() noexcept { return kCommands; }

const Command& find_command(std::string_view name) {
  std::vector<std::string_view> known;
  for (const Command* const command : kCommands) {
    if (command->name == name) return *command;
    if (!command->hidden) known.push_back(command->name);
  }
  std::string hint = did_you_mean(name, known);
  if (hint.empty()) hint = "berth help lists the commands";
  throw Error(ErrorKind::usage, "", "there is no command \"" + std::string(name) + "\"", hint);
}

}  // namespace berth::cli
