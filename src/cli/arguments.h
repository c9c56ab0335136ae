// The words of a command line, read by the tables of its command.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/command.h"

namespace berth::cli {

// Every value has been checked against its kind. Asking for an option that the command's tables do not have is a
// defect of the command: Error{internal}. An option that is given twice counts the last time, except settings.
class Arguments {
 public:
  // Throws Error{usage}: unknown options (with the nearest that is known), surplus and missing arguments, bad values.
  static Arguments parse(const Command& command, std::span<const std::string> words);

  [[nodiscard]] bool has(std::string_view option) const;
  [[nodiscard]] std::optional<std::string> text(std::string_view option) const;     // also choices and paths
  [[nodiscard]] std::optional<std::size_t> count(std::string_view option) const;
  [[nodiscard]] std::optional<double> tolerance(std::string_view option) const;
  [[nodiscard]] std::vector<std::string> list(std::string_view option) const;       // empty when not given
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> settings(std::string_view option) const;
  [[nodiscard]] std::optional<std::pair<std::int64_t, std::int64_t>> shape(std::string_view option) const;
  // "on" or "off".
  [[nodiscard]] std::optional<bool> on_or_off(std::string_view option) const;

  [[nodiscard]] const std::string& argument(std::string_view name) const;           // of an argument with Arity::one
  [[nodiscard]] const std::vector<std::string>& arguments(std::string_view name) const;

 private:
  void take_words(const Command& command, std::vector<std::string> words);
  [[nodiscard]] const std::vector<std::string>& values(std::string_view name) const;

  std::map<std::string, std::vector<std::string>, std::less<>> values_;             // by option and argument name
};

// All options of a command, the common ones too.
[[nodiscard]] std::vector<Option> all_options(const Command& command);

// Whether the words ask for it, whatever else they say: needed before (or without) a successful parse.
[[nodiscard]] bool asks_for(std::span<const std::string> words, std::string_view option);

}  // namespace berth::cli
