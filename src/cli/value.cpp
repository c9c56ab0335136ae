// Text to value, with errors in words.
#include "cli/value.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <optional>

#include "base/nearest.h"
#include "berth/error.h"
#include "cli/text_width.h"

namespace berth::cli {
namespace {

namespace fs = std::filesystem;

// Threads, rows, tokens: more of them is a slip of the finger, and arithmetic on them stays far from overflow.
constexpr std::size_t kLargestCount = 1'000'000'000;

constexpr std::size_t kColumnsShown = 60;

[[noreturn]] void refuse(std::string_view name, std::string_view text, std::string_view expected,
                         std::string hint = {}) {
  const std::string shown = printable(text, false);
  throw Error(ErrorKind::usage, std::string(name),
              fmt::format("is \"{}\", expected {}",
                          text_width(shown) <= kColumnsShown ? shown : fit(shown, kColumnsShown), expected),
              std::move(hint));
}

template <typename Number>
std::optional<Number> number_of(std::string_view text) {
  Number value{};
  const auto [rest, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc{} || rest != text.data() + text.size()) return std::nullopt;
  return value;
}

void check_choice(std::string_view name, std::string_view choices, std::string_view text) {
  const std::vector<std::string_view> known = split(choices, '|');
  if (std::find(known.begin(), known.end(), text) != known.end()) return;
  refuse(name, text, fmt::format("{}", fmt::join(known, ", ")), did_you_mean(text, known));
}

void check_input_path(std::string_view name, std::string_view text) {
  const fs::path path = text;
  std::error_code failure;
  if (fs::exists(path, failure)) return;
  std::vector<std::string> beside;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    beside.push_back((path.parent_path() / entry.path().filename()).string());
  }
  const std::string reason =
      failure && failure != std::errc::no_such_file_or_directory && failure != std::errc::not_a_directory
          ? "cannot be examined: " + failure.message()
          : "there is no such file or folder";
  throw Error(ErrorKind::usage, fmt::format("{} {}", name, path.string()), reason, did_you_mean(text, beside));
}

}  // namespace

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::size_t to_count(std::string_view name, std::string_view text) {
  const auto value = number_of<std::size_t>(text);
  if (!value || *value == 0 || *value > kLargestCount) refuse(name, text, "a whole number from 1 to 1000000000");
  return *value;
}

double to_tolerance(std::string_view name, std::string_view text) {
  const auto value = number_of<double>(text);
  if (!value || !std::isfinite(*value) || *value <= 0) refuse(name, text, "a number above 0, such as 1e-4");
  return *value;
}

std::vector<std::string> to_list(std::string_view name, std::string_view text) {
  std::vector<std::string> items;
  for (const std::string_view item : split(text, ',')) {
    if (item.empty()) refuse(name, text, "names with commas between them, such as a,b");
    items.emplace_back(item);
  }
  return items;
}

std::pair<std::string, std::string> to_setting(std::string_view name, std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string_view::npos) refuse(name, text, "KEY=VALUE");
  return {std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

std::pair<std::int64_t, std::int64_t> to_shape(std::string_view name, std::string_view text) {
  constexpr std::int64_t kLargestExtent = 1'000'000;
  const std::size_t cross = text.find('x');
  if (cross != std::string_view::npos) {
    const auto batch = number_of<std::int64_t>(text.substr(0, cross));
    const auto sequence = number_of<std::int64_t>(text.substr(cross + 1));
    const auto fits = [](const auto& extent) { return extent && *extent >= 1 && *extent <= kLargestExtent; };
    if (fits(batch) && fits(sequence)) return {*batch, *sequence};
  }
  refuse(name, text, "BATCHxSEQUENCE, such as 8x128");
}

void check_value(ValueKind kind, std::string_view name, std::string_view choices, std::string_view text) {
  switch (kind) {
    case ValueKind::none:
    case ValueKind::any_text: return;
    case ValueKind::text:
    case ValueKind::output_path:
      if (text.empty()) refuse(name, text, "something");
      return;
    case ValueKind::input:
      if (text == "-") return;
      [[fallthrough]];
    case ValueKind::input_path: return check_input_path(name, text);
    case ValueKind::count: static_cast<void>(to_count(name, text)); return;
    case ValueKind::tolerance: static_cast<void>(to_tolerance(name, text)); return;
    case ValueKind::choice: return check_choice(name, choices, text);
    case ValueKind::choices:
      for (const std::string_view word : split(text, ',')) check_choice(name, choices, word);
      return;
    case ValueKind::list: static_cast<void>(to_list(name, text)); return;
    case ValueKind::setting: static_cast<void>(to_setting(name, text)); return;
    case ValueKind::shape: static_cast<void>(to_shape(name, text)); return;
  }
}

}  // namespace berth::cli
