// Usage lines and option terms.
#include "cli/usage.h"

#include <fmt/format.h>

namespace berth::cli {

std::string usage_of(const Command& command) {
  std::string text = fmt::format("berth {}", command.name);
  for (const Argument& argument : command.arguments) {
    text += argument.arity == Arity::one ? fmt::format(" {}", argument.name) : fmt::format(" [{}...]", argument.name);
  }
  for (const OptionGroup& group : command.groups) {
    for (const Option& option : group.options) {
      if (!option.required) continue;
      text += option.letter == kNoLetter ? fmt::format(" {} {}", option.name, option.value)
                                         : fmt::format(" -{} {}", option.letter, option.value);
    }
  }
  return text;
}

std::string option_term(const Option& option) {
  std::string text =
      option.letter == kNoLetter ? std::string(option.name) : fmt::format("-{}, {}", option.letter, option.name);
  if (!option.value.empty()) text += fmt::format(" {}", option.value);
  return text;
}

std::string option_explanation(const Option& option) {
  if (option.fallback.empty()) return std::string(option.help);
  return fmt::format("{} (default: {})", option.help, option.fallback);
}

}  // namespace berth::cli
