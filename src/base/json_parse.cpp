// Text to JSON value, for documents that may be hostile: bounded depth, time linear in the size. nlohmann's own builder
// has neither: its ordered objects search all members for each new one, and printing a value recurses as deep as it is.
#include <algorithm>
#include <unordered_map>

#include "base/json.h"
#include "berth/error.h"

namespace berth::json {
namespace {

// No document that berth reads comes near it.
constexpr std::size_t kMaxDepth = 200;

// Python's json module writes NaN and Infinity, which JSON does not have. Outside strings they become null.
std::string without_python_numbers(std::string_view text) {
  std::string cleaned;
  cleaned.reserve(text.size());
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (in_string) {
      if (text[i] == '"') in_string = false;
      if (text[i] == '\\' && i + 1 < text.size()) cleaned += text[i++];  // what it escapes follows below
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

// "line 3, column 7" of a byte.
std::string position_of(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte, text.size()));
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return "line " + std::to_string(std::count(before.begin(), before.end(), '\n') + 1) + ", column " +
         std::to_string(before.size() - line_start + 1);
}

// Receives nlohmann's parse events. A member that comes twice counts the last time, as in Python.
class Builder {
 public:
  Builder(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  [[nodiscard]] Value take() { return std::move(root_); }

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(std::int64_t value) { return add(value); }
  bool number_unsigned(std::uint64_t value) { return add(value); }
  bool number_float(double value, const std::string&) { return add(value); }
  bool string(std::string& value) { return add(std::move(value)); }
  bool binary(Value::binary_t&) { return false; }  // not in text
  bool start_object(std::size_t) { return open(Value::object()); }
  bool start_array(std::size_t) { return open(Value::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    Level& level = levels_.back();
    auto& members = level.container->get_ref<Value::object_t&>();
    const auto [found, is_new] = level.members.emplace(name, members.size());
    if (is_new) members.emplace_back(std::move(name), nullptr);
    next_ = &members.data()[found->second].second;
    return true;
  }

  bool parse_error(std::size_t byte, const std::string&, const nlohmann::json::exception& failure) {
    const bool too_large = failure.id == 406;  // nlohmann: "number overflow"
    throw Error(ErrorKind::invalid_input, name_,
                std::string("is not valid JSON: ") + (too_large ? "a number too large" : "unexpected content") +
                    " at " + position_of(text_, byte == 0 ? 0 : byte - 1));
  }

 private:
  struct Level {
    Value* container;
    std::unordered_map<std::string, std::size_t> members;  // of an object: name to place
  };

  // Puts a value where the next one belongs: the root, the member that was named, or the end of a list.
  Value& place(Value&& value) {
    if (levels_.empty()) return root_ = std::move(value);
    if (levels_.back().container->is_object()) return *next_ = std::move(value);
    return levels_.back().container->emplace_back(std::move(value));
  }

  template <typename T>
  bool add(T&& value) {
    place(Value(std::forward<T>(value)));
    return true;
  }

  bool open(Value&& container) {
    if (levels_.size() == kMaxDepth) {
      throw Error(ErrorKind::limit, name_, "is nested deeper than " + std::to_string(kMaxDepth) + " levels");
    }
    levels_.push_back({&place(std::move(container)), {}});
    return true;
  }

  bool close() {
    levels_.pop_back();
    return true;
  }

  std::string_view text_;
  const std::string& name_;
  Value root_;
  std::vector<Level> levels_;
  Value* next_ = nullptr;
};

}  // namespace

Value parse(std::string_view text, const std::string& name) {
  const std::string cleaned = without_python_numbers(text);
  Builder builder(cleaned, name);
  Value::sax_parse(cleaned, &builder);  // skips a byte order mark by itself
  return builder.take();
}

}  // namespace berth::json
