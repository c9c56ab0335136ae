// The values of options: what kinds there are, and text to value. A wrong value is an Error{usage} that names the
// option, shows the value and says what was expected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace berth::cli {

enum class ValueKind {
  none,         // a switch
  text,         // anything but nothing
  any_text,     // anything
  input_path,   // a file or folder that exists
  input,        // the same, or "-" for standard input
  output_path,
  count,        // 1, 2, …
  tolerance,    // a number above 0
  choice,       // one word of those that the table lists
  choices,      // several of them: "cuda,cpu"
  list,         // names: "a,b"
  setting,      // "KEY=VALUE"; the option can be given many times
  shape,        // "8x128"
};

// `name` is the option or argument, for errors.
[[nodiscard]] std::size_t to_count(std::string_view name, std::string_view text);
[[nodiscard]] double to_tolerance(std::string_view name, std::string_view text);
[[nodiscard]] std::vector<std::string> to_list(std::string_view name, std::string_view text);
[[nodiscard]] std::pair<std::string, std::string> to_setting(std::string_view name, std::string_view text);
[[nodiscard]] std::pair<std::int64_t, std::int64_t> to_shape(std::string_view name, std::string_view text);

// Throws unless `text` is a value of this kind. `choices` ("copy|map") matters to choice and choices only.
void check_value(ValueKind kind, std::string_view name, std::string_view choices, std::string_view text);

// The words of "copy|map".
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

}  // namespace berth::cli
