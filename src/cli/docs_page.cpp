// docs/cli.md, written from the tables.
#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <vector>

#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/help.h"
#include "cli/usage.h"

namespace berth::cli {
namespace {

constexpr std::string_view kOpening = R"(# The command line

<!-- Made from the option tables in src/cli by `berth docs cli`; a test compares. Do not edit. -->

`berth COMMAND [ARGUMENTS] [OPTIONS]`. Results go to standard output, everything else to standard error. Colours and
progress bars appear only on a terminal, colours never when `NO_COLOR` is set. Words after `--` are arguments even when
they begin with `-`. `berth --version` shows the versions of berth, ONNX Runtime and ONNX.

An error is `berth: error: WHERE: WHAT`, with `hint: WHAT TO DO` below it where there is something to do. With `--json`
standard output holds one JSON document, which for an error is
`{"error": {"kind": …, "message": …, "hint": …, "where": …}}`.
)";

// A vertical bar would end the cell.
std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string option_table(const OptionGroup& group) {
  std::string text = "\n| option | meaning | default |\n|---|---|---|\n";
  for (const Option& option : group.options) {
    text += fmt::format("| `{}` | {} | {} |\n", cell(option_term(option)), cell(option.help), cell(option.fallback));
  }
  return text;
}

std::string anchor_of(std::string_view title) {
  std::string anchor;
  for (const char c : title) anchor += c == ' ' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return anchor;
}

std::string section(const Command& command) {
  std::string text = fmt::format("\n## berth {}\n\n`{} [OPTIONS]`: {}.\n\n{}\n", command.name, usage_of(command),
                                 command.summary, command.details);
  if (!command.arguments.empty()) text += "\n| argument | meaning |\n|---|---|\n";
  for (const Argument& argument : command.arguments) {
    text += fmt::format("| `{}` | {} |\n", argument.name, cell(argument.help));
  }
  for (const OptionGroup& group : command.groups) {
    if (group.title.empty()) {
      text += option_table(group);
    } else {
      text += fmt::format("\nAlso: [{}](#{}).\n", group.title, anchor_of(group.title));
    }
  }
  text += "\n```sh\n";
  for (const std::string_view example : command.examples) text += fmt::format("{}\n", example);
  return text + "```\n";
}

// The groups that commands share, each once, in the order in which commands first have them.
std::vector<const OptionGroup*> shared_groups() {
  std::vector<const OptionGroup*> shared{&common_options()};
  for (const Command* const command : commands()) {
    for (const OptionGroup& group : command->groups) {
      const bool known =
          std::any_of(shared.begin(), shared.end(), [&](const OptionGroup* g) { return g->title == group.title; });
      if (!group.title.empty() && !known) shared.push_back(&group);
    }
  }
  return shared;
}

}  // namespace

std::string command_line_page() {
  std::string text(kOpening);
  text += "\n## Exit codes\n\n| code | meaning |\n|---|---|\n";
  for (const ExitCodeRow& row : exit_codes()) {
    text += fmt::format("| {} | {} |\n", static_cast<int>(row.code), row.meaning);
  }
  for (const Command* const command : commands()) {
    if (!command->hidden) text += section(*command);
  }
  for (const OptionGroup* const group : shared_groups()) {
    text += fmt::format("\n## {}\n", group->title) + option_table(*group);
  }
  return text;
}

}  // namespace berth::cli
