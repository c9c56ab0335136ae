// Reading JSON documents that people and other programs wrote: every error names the file, the field, what stands
// there and what was expected. (Large ones, such as tokenizer.json and safetensors headers, go through simdjson instead.)
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "berth/error.h"

namespace berth::json {

using Value = nlohmann::ordered_json;

// Parses a whole document; accepts NaN and Infinity as Python's json module writes them (as null). `name` is the
// file's name in errors. Throws Error{invalid_input} with the line and column, Error{limit} when it is nested too deep.
[[nodiscard]] Value parse(std::string_view text, const std::string& name);
[[nodiscard]] Value read_document(const std::filesystem::path& path, std::uint64_t limit = 64U << 20);

// One JSON object with the name it goes by in errors: "config.json", "tokenizer.json: model".
// The value must outlive the Object. A field that is absent or null counts as not there.
class Object {
 public:
  Object(const Value& value, std::string where);                     // throws unless it is an object

  [[nodiscard]] bool has(std::string_view field) const;
  [[nodiscard]] const Value* find(std::string_view field) const;     // null when not there
  [[nodiscard]] bool is_null(std::string_view field) const;          // there, and null
  [[nodiscard]] std::string where(std::string_view field) const;     // "config.json: hidden_size"
  [[nodiscard]] const std::string& where() const noexcept { return where_; }
  [[nodiscard]] const Value& value() const noexcept { return *value_; }

  // T: bool, std::int64_t, double, std::string, std::vector<std::string>. A number of the wrong kind is an error.
  template <typename T>
  [[nodiscard]] std::optional<T> get(std::string_view field) const;
  template <typename T>
  [[nodiscard]] T get(std::string_view field, T fallback) const {
    auto found = get<T>(field);
    return found ? std::move(*found) : std::move(fallback);
  }
  template <typename T>
  [[nodiscard]] T require(std::string_view field) const {
    auto found = get<T>(field);
    if (!found) fail_missing(field);
    return std::move(*found);
  }

 private:
  [[noreturn]] void fail_missing(std::string_view field) const;

  const Value* value_;
  std::string where_;
};

// A short text of the value for an error message: `"gelu"`, `[1, 2, …]`, `an object`.
[[nodiscard]] std::string describe(const Value& value);

// {"error": {"kind", "message", "hint", "where"}}: how every edge of berth writes an error.
[[nodiscard]] Value to_value(const Error& error);

}  // namespace berth::json
