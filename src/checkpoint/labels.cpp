// id2label is an object whose keys are "0", "1", …: their order is that of the numbers, not of the file.
#include "checkpoint/labels.h"

#include <charconv>
#include <cstdint>
#include <optional>

#include "base/log.h"
#include "berth/error.h"

namespace berth::checkpoint {
namespace {

constexpr std::int64_t kMaxLabels = 65'536;
constexpr std::int64_t kDefaultLabels = 2;

// Only the canonical spelling: "7", not "07", "+7" or " 7".
std::optional<std::size_t> parse_id(const std::string& key) {
  std::size_t id = 0;
  const char* const end = key.data() + key.size();
  const auto [rest, failure] = std::from_chars(key.data(), end, id);
  if (failure != std::errc{} || rest != end || (key.size() > 1 && key.front() == '0')) return std::nullopt;
  return id;
}

// Some data sets name their classes by numbers, and Trainer saves those as numbers.
std::string label_text(const json::Value& label, const std::string& where) {
  if (label.is_string()) return label.get<std::string>();
  if (label.is_number_integer()) return label.dump();
  throw Error(ErrorKind::invalid_input, where, "is " + json::describe(label) + ", expected a string");
}

std::vector<std::string> in_order_of_ids(const json::Object& id2label) {
  const std::size_t count = id2label.value().size();
  const std::string all_keys = count == 1 ? "\"0\"" : "\"0\" to \"" + std::to_string(count - 1) + "\"";
  std::vector<std::optional<std::string>> labels(count);
  for (const auto& [key, label] : id2label.value().items()) {
    const auto id = parse_id(key);
    if (!id) {
      throw Error(ErrorKind::invalid_input, id2label.where(),
                  "has the key " + json::describe(key) + ", expected the keys " + all_keys,
                  label.is_number() ? "this looks like label2id: id2label maps ids to names" : "");
    }
    std::string text = label_text(label, id2label.where(key));
    if (*id < count) labels[*id] = std::move(text);
  }
  std::vector<std::string> result;
  for (auto& label : labels) {
    if (!label) {
      throw Error(ErrorKind::invalid_input, id2label.where(),
                  "has " + std::to_string(count) + " labels but no key \"" + std::to_string(result.size()) +
                      "\", expected the keys " + all_keys);
    }
    result.push_back(std::move(*label));
  }
  return result;
}

std::vector<std::string> numbered(std::int64_t count) {
  std::vector<std::string> labels;
  for (std::int64_t i = 0; i < count; ++i) labels.push_back("LABEL_" + std::to_string(i));
  return labels;
}

}  // namespace

std::vector<std::string> read_labels(const json::Object& config) {
  const auto count = config.get<std::int64_t>("num_labels");
  if (count && (*count < 1 || *count > kMaxLabels)) {
    throw Error(ErrorKind::invalid_input, config.where("num_labels"),
                "is " + std::to_string(*count) + ", expected 1 to " + std::to_string(kMaxLabels));
  }
  const json::Value* const named = config.find("id2label");
  if (named == nullptr) return numbered(count.value_or(kDefaultLabels));

  const json::Object id2label(*named, config.where("id2label"));
  if (id2label.value().empty()) return numbered(count.value_or(kDefaultLabels));
  std::vector<std::string> labels = in_order_of_ids(id2label);
  if (count && static_cast<std::size_t>(*count) != labels.size()) {
    log_warning(config.where("num_labels") + " is " + std::to_string(*count) + ", but id2label names " +
                std::to_string(labels.size()) + " labels: id2label is used, as in Transformers");
  }
  return labels;
}

}  // namespace berth::checkpoint
