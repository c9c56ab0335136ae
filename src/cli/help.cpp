// Help texts for a terminal of 100 columns.
#include "cli/help.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/text_width.h"
#include "cli/usage.h"

namespace berth::cli {
namespace {

constexpr std::size_t kColumns = 100;
constexpr std::size_t kWidestTerm = 30;

// "  TERM    explanation", the explanation wrapped in its own column; a long term stands on a line of its own.
std::string definition(std::string_view term, std::string_view explanation, std::size_t term_width) {
  const std::string indent(term_width + 4, ' ');
  std::string text = fmt::format("  {}", term);
  if (text_width(term) > term_width) {
    (text += '\n') += indent;
  } else {
    text.append(term_width + 2 - text_width(term), ' ');
  }
  return text + wrap(explanation, kColumns - indent.size(), indent) + '\n';
}

std::size_t term_width_of(const Command& command) {
  std::size_t widest = 0;
  for (const Argument& argument : command.arguments) widest = std::max(widest, argument.name.size());
  for (const Option& option : all_options(command)) {
    const std::size_t width = option_term(option).size();
    if (width <= kWidestTerm) widest = std::max(widest, width);
  }
  return widest;
}

std::string group_text(const OptionGroup& group, std::size_t term_width) {
  std::string text = fmt::format("\n{}:\n", group.title.empty() ? "Options" : group.title);
  for (const Option& option : group.options) {
    text += definition(option_term(option), option_explanation(option), term_width);
  }
  return text;
}

struct Line {
  std::string term;
  std::string_view explanation;
};

std::vector<Line> command_lines() {
  std::vector<Line> lines;
  for (const Command* const command : commands()) {
    if (!command->hidden) lines.push_back({usage_of(*command), command->summary});
  }
  return lines;
}

std::string definitions(const std::vector<Line>& lines) {
  std::size_t widest = 0;
  for (const Line& line : lines) widest = std::max(widest, line.term.size());
  std::string text;
  for (const Line& line : lines) text += definition(line.term, line.explanation, widest);
  return text;
}

}  // namespace

std::string road() {
  return "berth takes a fine-tuned encoder (the BERT family) from its Hugging Face checkpoint to a verified ONNX\n"
         "model and to answers, on a CPU.\n\n" +
         definitions(command_lines()) +
         "\nberth help COMMAND explains one of them, with examples; berth help tells the rest.\n";
}

std::string overview() {
  std::vector<Line> lines = command_lines();
  lines.push_back({"berth help [COMMAND]", "explain a command, with examples"});
  lines.push_back({"berth --version", "show the versions of berth, ONNX Runtime and ONNX"});
  std::string text = "usage: berth COMMAND [ARGUMENTS] [OPTIONS]\n\nCommands:\n" + definitions(lines);
  text += group_text(common_options(), 13) + "\nExit codes:\n";
  for (const ExitCodeRow& row : exit_codes()) {
    text += definition(fmt::format("{}", static_cast<int>(row.code)), row.meaning, 3);
  }
  return text;
}

std::string help_of(const Command& command) {
  std::string text = fmt::format("berth {}: {}\n\nusage: {} [OPTIONS]\n\n{}\n", command.name, command.summary,
                                 usage_of(command), wrap(command.details, kColumns, ""));
  const std::size_t term_width = term_width_of(command);
  if (!command.arguments.empty()) text += '\n';
  for (const Argument& argument : command.arguments) text += definition(argument.name, argument.help, term_width);
  for (const OptionGroup& group : command.groups) text += group_text(group, term_width);
  text += group_text(common_options(), term_width);
  if (!command.examples.empty()) text += "\nExamples:\n";
  for (const std::string_view example : command.examples) text += fmt::format("  {}\n", example);
  return text;
}

}  // namespace berth::cli
