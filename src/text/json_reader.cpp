// Checked access to simdjson's elements.
#include "text/json_reader.h"

#include "base/file.h"

namespace berth::text {
namespace {

// What stands there, in a few words.
std::string describe(simdjson::dom::element element) {
  constexpr std::size_t kMaxShown = 40;
  using simdjson::dom::element_type;
  switch (element.type()) {
    case element_type::OBJECT: return "an object";
    case element_type::ARRAY: return "an array";
    default: break;
  }
  std::string text = simdjson::minify(element);
  if (text.size() <= kMaxShown) return text;
  std::size_t end = kMaxShown;
  while ((static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // not inside a character
  return text.substr(0, end) + "…";
}

}  // namespace

std::optional<JsonValue> JsonValue::find(std::string_view field) const {
  std::optional<JsonValue> found;
  for (const auto [name, value] : object()) {
    if (name != field) continue;
    found.reset();
    const char* const separator = where_.ends_with(':') ? " " : ".";
    if (!value.is_null()) found.emplace(value, where_ + separator + std::string(field));
  }
  return found;
}

JsonValue JsonValue::require(std::string_view field) const {
  auto found = find(field);
  if (!found) fail(ErrorKind::invalid_input, "has no field \"" + std::string(field) + "\"");
  return std::move(*found);
}

bool JsonValue::boolean() const {
  bool value = false;
  if (element_.get(value) != simdjson::SUCCESS) fail_type("true or false");
  return value;
}

std::string JsonValue::string() const {
  std::string_view value;
  if (element_.get(value) != simdjson::SUCCESS) fail_type("a string");
  return std::string(value);
}

std::int64_t JsonValue::integer(std::int64_t low, std::int64_t high) const {
  std::int64_t value = 0;
  if (element_.get(value) != simdjson::SUCCESS || value < low || value > high) {
    fail_type("a whole number from " + std::to_string(low) + " to " + std::to_string(high));
  }
  return value;
}

std::vector<JsonValue> JsonValue::items() const {
  simdjson::dom::array array;
  if (element_.get(array) != simdjson::SUCCESS) fail_type("an array");
  std::vector<JsonValue> items;
  for (const simdjson::dom::element item : array) {
    items.emplace_back(item, where_ + "[" + std::to_string(items.size()) + "]");
  }
  return items;
}

simdjson::dom::object JsonValue::object() const {
  simdjson::dom::object object;
  if (element_.get(object) != simdjson::SUCCESS) fail_type("an object");
  return object;
}

void JsonValue::fail(ErrorKind kind, const std::string& message) const {
  throw Error(kind, where_.ends_with(':') ? where_.substr(0, where_.size() - 1) : where_, message);
}

void JsonValue::fail_type(const std::string& expected) const {
  fail(ErrorKind::invalid_input, "is " + describe(element_) + ", expected " + expected);
}

JsonDocument::JsonDocument(const std::filesystem::path& path, std::uint64_t limit) : path_(path) {
  const std::string text = read_file(path, limit);
  if (const auto error = parser_.parse(text).get(root_); error != simdjson::SUCCESS) {
    throw Error(ErrorKind::invalid_input, path.string(),
                std::string("is not valid JSON: ") + simdjson::error_message(error));
  }
}

}  // namespace berth::text
