// Reading a large or hostile JSON document (tokenizer.json) through simdjson, with errors that say where.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <simdjson.h>
#include <string>
#include <string_view>
#include <vector>

#include "berth/error.h"

namespace berth::text {

// One value of a document, with the path it goes by in errors: "tokenizer.json: model.vocab".
// It is valid as long as the document.
class JsonValue {
 public:
  JsonValue(simdjson::dom::element element, std::string where) : element_(element), where_(std::move(where)) {}

  // A field of an object; of equal names the last one counts. One that is null counts as not there.
  [[nodiscard]] std::optional<JsonValue> find(std::string_view field) const;
  [[nodiscard]] JsonValue require(std::string_view field) const;

  [[nodiscard]] bool boolean() const;
  [[nodiscard]] std::string string() const;
  [[nodiscard]] std::int64_t integer(std::int64_t low, std::int64_t high) const;
  [[nodiscard]] std::vector<JsonValue> items() const;  // of an array
  [[nodiscard]] simdjson::dom::object object() const;

  // Throws Error{kind}: "WHERE: MESSAGE".
  [[noreturn]] void fail(ErrorKind kind, const std::string& message) const;
  [[nodiscard]] const std::string& where() const noexcept { return where_; }

 private:
  [[noreturn]] void fail_type(const std::string& expected) const;

  simdjson::dom::element element_;
  std::string where_;
};

class JsonDocument {
 public:
  // Throws Error{limit} above `limit` bytes, Error{invalid_input} for what is not JSON.
  JsonDocument(const std::filesystem::path& path, std::uint64_t limit);
  [[nodiscard]] JsonValue root() const { return {root_, path_.string() + ":"}; }

 private:
  std::filesystem::path path_;
  simdjson::dom::parser parser_;
  simdjson::dom::element root_;
};

}  // namespace berth::text
