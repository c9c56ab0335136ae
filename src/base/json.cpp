// Fields of JSON documents, with errors that name them. Parsing is in json_parse.cpp.
#include "base/json.h"

#include <algorithm>

#include "base/file.h"
#include "berth/error.h"

namespace berth::json {
namespace {

template <typename T>
struct Reader;

template <>
struct Reader<bool> {
  static constexpr const char* kExpected = "true or false";
  static bool fits(const Value& value) { return value.is_boolean(); }
};
template <>
struct Reader<std::int64_t> {
  static constexpr const char* kExpected = "a whole number below 2^63";
  static bool fits(const Value& value) {
    return value.is_number_integer() &&
           !(value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX));
  }
};
template <>
struct Reader<double> {
  static constexpr const char* kExpected = "a number";
  static bool fits(const Value& value) { return value.is_number(); }
};
template <>
struct Reader<std::string> {
  static constexpr const char* kExpected = "a string";
  static bool fits(const Value& value) { return value.is_string(); }
};
template <>
struct Reader<std::vector<std::string>> {
  static constexpr const char* kExpected = "a list of strings";
  static bool fits(const Value& value) {
    return value.is_array() && std::all_of(value.begin(), value.end(), [](const Value& v) { return v.is_string(); });
  }
};

}  // namespace

Value read_document(const std::filesystem::path& path, std::uint64_t limit) {
  return parse(read_file(path, limit), path.string());
}

Object::Object(const Value& value, std::string where) : value_(&value), where_(std::move(where)) {
  if (!value.is_object()) {
    throw Error(ErrorKind::invalid_input, where_, "is " + describe(value) + ", expected an object");
  }
}

const Value* Object::find(std::string_view field) const {
  const auto found = value_->find(std::string(field));
  return found == value_->end() || found->is_null() ? nullptr : &*found;
}

bool Object::has(std::string_view field) const { return find(field) != nullptr; }

bool Object::is_null(std::string_view field) const {
  const auto found = value_->find(std::string(field));
  return found != value_->end() && found->is_null();
}

std::string Object::where(std::string_view field) const { return where_ + ": " + std::string(field); }

template <typename T>
std::optional<T> Object::get(std::string_view field) const {
  const Value* const found = find(field);
  if (found == nullptr) return std::nullopt;
  if (!Reader<T>::fits(*found)) {
    throw Error(ErrorKind::invalid_input, where(field),
                "is " + describe(*found) + ", expected " + Reader<T>::kExpected);
  }
  return found->template get<T>();
}

template std::optional<bool> Object::get(std::string_view) const;
template std::optional<std::int64_t> Object::get(std::string_view) const;
template std::optional<double> Object::get(std::string_view) const;
template std::optional<std::string> Object::get(std::string_view) const;
template std::optional<std::vector<std::string>> Object::get(std::string_view) const;

void Object::fail_missing(std::string_view field) const {
  throw Error(ErrorKind::invalid_input, where_, "has no field \"" + std::string(field) + "\"");
}

Value to_value(const Error& error) {
  return {{"error",
           {{"kind", name_of(error.kind())},
            {"message", error.message()},
            {"hint", error.hint()},
            {"where", error.where()}}}};
}

std::string describe(const Value& value) {
  constexpr std::size_t kMaxShown = 60;
  if (value.is_object()) return "an object";
  if (value.is_null()) return "null";
  std::string text = value.dump(-1, ' ', false, Value::error_handler_t::replace);
  if (text.size() > kMaxShown) {
    std::size_t cut = kMaxShown;
    while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) --cut;  // not inside a character
    text = text.substr(0, cut) + "…";
  }
  return text;
}

}  // namespace berth::json
