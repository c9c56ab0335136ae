// CLI11 splits the words into options and the rest; what they mean is said by the tables.
#include "cli/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <fmt/format.h>

#include "base/nearest.h"
#include "berth/error.h"
#include "cli/common_options.h"

namespace berth::cli {
namespace {

[[noreturn]] void refuse(const Command& command, const std::string& message, std::string hint = {}) {
  if (hint.empty()) hint = fmt::format("berth help {} shows what it takes", command.name);
  throw Error(ErrorKind::usage, "", message, std::move(hint));
}

// As CLI11 tells options from other words: "-5" is a word.
bool looks_like_option(std::string_view word) {
  return word.size() > 1 && word[0] == '-' && std::isdigit(static_cast<unsigned char>(word[1])) == 0;
}

[[noreturn]] void refuse_unknown_option(const Command& command, std::string_view word) {
  std::vector<std::string_view> known;
  for (const Option& option : all_options(command)) known.push_back(option.name);
  std::string hint = did_you_mean(word.substr(0, word.find('=')), known);
  if (hint.empty() && !command.arguments.empty() && command.arguments.back().arity == Arity::any) {
    hint = fmt::format("put -- before a {} that begins with -; berth help {} shows the options",
                       command.arguments.back().name, command.name);
  }
  refuse(command, fmt::format("{} has no option {}", command.name, word), hint);
}

// The words that are no options. CLI11 hands them back in order, unknown options among them, with "--" kept.
// (They are not declared to CLI11 as positional arguments: it would read the text "[a, b]" as a list.)
std::vector<std::string> plain_words(const Command& command, const std::vector<std::string>& remaining) {
  std::vector<std::string> words;
  bool only_words = false;
  for (const std::string& word : remaining) {
    if (!only_words && word == "--") {
      only_words = true;
    } else if (!only_words && looks_like_option(word)) {
      refuse_unknown_option(command, word);
    } else {
      words.push_back(word);
    }
  }
  return words;
}

// CLI11 takes the next word for the value of "--option=", so an empty value has to be refused before it reads them.
void refuse_empty_values(const Command& command, std::span<const std::string> words) {
  for (const std::string& word : words) {
    if (word == "--") return;
    if (word.starts_with("--") && word.find('=') == word.size() - 1) {
      refuse(command, fmt::format("{} needs a value", word));
    }
  }
}

void check_values(const Command& command, const Option& option, const std::vector<std::string>& values,
                  const std::vector<Option>& options) {
  for (const std::string& value : values) {
    const bool is_option =
        std::any_of(options.begin(), options.end(), [&](const Option& o) { return o.name == value; });
    if (is_option) {
      refuse(command, fmt::format("{} needs a value {}, not the option {}", option.name, option.value, value));
    }
    check_value(option.kind, option.name, option.value, value);
  }
}

}  // namespace

std::vector<Option> all_options(const Command& command) {
  std::vector<Option> options;
  for (const OptionGroup& group : command.groups) {
    options.insert(options.end(), group.options.begin(), group.options.end());
  }
  options.insert(options.end(), common_options().options.begin(), common_options().options.end());
  return options;
}

bool asks_for(std::span<const std::string> words, std::string_view option) {
  for (const std::string& word : words) {
    if (word == "--") return false;
    if (word == option) return true;
  }
  return false;
}

Arguments Arguments::parse(const Command& command, std::span<const std::string> words) {
  refuse_empty_values(command, words);
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  const std::vector<Option> options = all_options(command);
  std::vector<std::pair<const Option*, CLI::Option*>> declared;
  for (const Option& option : options) {
    const std::string names =
        option.letter == kNoLetter ? std::string(option.name) : fmt::format("-{},{}", option.letter, option.name);
    CLI::Option* const made =
        option.kind == ValueKind::none ? app.add_flag(names)->disable_flag_override() : app.add_option(names);
    made->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    declared.emplace_back(&option, made);
  }
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ArgumentMismatch& failure) {
    const std::string message = failure.what();
    refuse(command, message.find("flag") != std::string::npos ? "a switch such as --json takes no value"
                                                              : fmt::format("{} needs a value", words.back()));
  }

  Arguments parsed;
  parsed.take_words(command, plain_words(command, app.remaining()));
  for (const auto& [option, made] : declared) {
    if (option->required && made->count() == 0) {
      refuse(command, fmt::format("{} needs {} {}", command.name, option->name, option->value));
    }
    check_values(command, *option, made->results(), options);
    parsed.values_.emplace(option->name, made->results());
  }
  if (parsed.has("--quiet") && parsed.has("--verbose")) refuse(command, "--quiet and --verbose exclude each other");
  return parsed;
}

void Arguments::take_words(const Command& command, std::vector<std::string> words) {
  std::size_t next = 0;
  for (const Argument& argument : command.arguments) {
    std::vector<std::string>& taken = values_[std::string(argument.name)];
    const std::size_t wanted = argument.arity == Arity::any ? words.size() - next : 1;
    if (wanted > words.size() - next) refuse(command, fmt::format("{} needs {}", command.name, argument.name));
    for (std::size_t i = 0; i < wanted; ++i) {
      check_value(argument.kind, argument.name, "", words[next]);
      taken.push_back(std::move(words[next++]));
    }
  }
  if (next < words.size()) {
    refuse(command, fmt::format("{} does not take the argument \"{}\"", command.name, words[next]));
  }
}

const std::vector<std::string>& Arguments::values(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) throw Error(ErrorKind::internal, "", fmt::format("the command has no {}", name));
  return found->second;
}

bool Arguments::has(std::string_view option) const { return !values(option).empty(); }

std::optional<std::string> Arguments::text(std::string_view option) const {
  if (!has(option)) return std::nullopt;
  return values(option).back();
}

std::optional<std::size_t> Arguments::count(std::string_view option) const {
  const auto given = text(option);
  return given ? std::optional(to_count(option, *given)) : std::nullopt;
}

std::optional<double> Arguments::tolerance(std::string_view option) const {
  const auto given = text(option);
  return given ? std::optional(to_tolerance(option, *given)) : std::nullopt;
}

std::vector<std::string> Arguments::list(std::string_view option) const {
  const auto given = text(option);
  return given ? to_list(option, *given) : std::vector<std::string>{};
}

std::vector<std::pair<std::string, std::string>> Arguments::settings(std::string_view option) const {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& value : values(option)) pairs.push_back(to_setting(option, value));
  return pairs;
}

std::optional<std::pair<std::int64_t, std::int64_t>> Arguments::shape(std::string_view option) const {
  const auto given = text(option);
  return given ? std::optional(to_shape(option, *given)) : std::nullopt;
}

std::optional<bool> Arguments::on_or_off(std::string_view option) const {
  const auto given = text(option);
  return given ? std::optional(*given == "on") : std::nullopt;
}

const std::string& Arguments::argument(std::string_view name) const { return values(name).front(); }
const std::vector<std::string>& Arguments::arguments(std::string_view name) const { return values(name); }

}  // namespace berth::cli
