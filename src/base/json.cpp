// JSON documents with errors that name the field.
#include "base/json.h"

#include <algorithm>

#include "base/file.h"
#include "berth/error.h"

namespace berth::json {
namespace {

// Python's json module writes NaN and Infinity, which JSON does not have. Outside strings they become null.
std::string without_python_numbers(std::string_view text) {
  std::string cleaned;
  cleaned.reserve(text.size());
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (in_string) {
      if (text[i] == '\\' && i + 1 < text.size()) cleaned += text[i++];
      else if (text[i] == '"') in_string = false;
    } else if (text[i] == '"') {
      in_string = true;
    } else {
      bool replaced = false;
      for (const std::string_view word : {"-Infinity", "Infinity", "NaN"}) {
        if (!text.substr(i).starts_with(word)) continue;
        cleaned += "null";
        i += word.size() - 1;
        replaced = true;
        break;
      }
      if (replaced) continue;
    }
    cleaned += text[i];
  }
  return cleaned;
}

struct Position {
  std::size_t line;
  std::size_t column;
};

Position position_of(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte, text.size()));
  const std::size_t line_start = before.rfind('\n');
  return {static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1,
          before.size() - (line_start == std::string_view::npos ? 0 : line_start + 1)};
}

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

Value parse(std::string_view text, const std::string& name) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::string cleaned = without_python_numbers(text);
  try {
    return Value::parse(cleaned);
  } catch (const nlohmann::json::parse_error& failure) {
    const Position at = position_of(cleaned, failure.byte == 0 ? 0 : failure.byte - 1);
    throw Error(ErrorKind::invalid_input, name,
                "is not valid JSON: unexpected content at line " + std::to_string(at.line) + ", column " +
                    std::to_string(at.column + 1));
  }
}

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

std::string Object::where(std::string_view field) const { return where_ + ": " + std::string(field); }

template <typename T>
std::optional<T> Object::get(std::string_view field) const {
  const Value* const found = find(field);
  if (found == nullptr) return std::nullopt;
  if (!Reader<T>::fits(*found)) {
    throw Error(ErrorKind::invalid_input, where(field), "is " + describe(*found) + ", expected " + Reader<T>::kExpected);
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
