// berth docs: writes the documentation that is made from the program's own tables. For the project, not for users.
#include <array>

#include "cli/arguments.h"
#include "cli/console.h"
#include "cli/help.h"

namespace berth::cli {
namespace {

constexpr std::array kArguments{Argument{"PAGE", Arity::one, ValueKind::text, "cli: the page docs/cli.md"}};
constexpr std::array<std::string_view, 1> kExamples{"berth docs cli > docs/cli.md"};

ExitCode run_docs(const Context& context) {
  check_value(ValueKind::choice, "PAGE", "cli", context.arguments.argument("PAGE"));
  context.console.print(command_line_page());
  return ExitCode::done;
}

}  // namespace

extern const Command kDocs{
    .name = "docs",
    .summary = "write a page of the documentation",
    .details = "Prints a page of the documentation that is made from the tables of the program.",
    .arguments = kArguments,
    .groups = {},
    .examples = kExamples,
    .run = run_docs,
    .hidden = true,
};

}  // namespace berth::cli
