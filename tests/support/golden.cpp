// Reads golden.json; a file that is not as tools/make_goldens.py writes it throws.
#include "support/golden.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/json.h"
#include "support/paths.h"

namespace berth::test {
namespace {

namespace fs = std::filesystem;

constexpr double kDoubleTolerance = 1e-11;  // where the file gives none: rounding

GoldenTensor read_tensor(const json::Value& value) {
  return {value.at("shape").get<Shape>(), value.at("values").get<std::vector<double>>()};
}

std::map<std::string, GoldenTensor> read_outputs(const json::Value& document, const std::string& field) {
  std::map<std::string, GoldenTensor> outputs;
  if (!document.contains(field)) return outputs;
  for (const auto& [name, value] : document.at(field).items()) outputs.emplace(name, read_tensor(value));
  return outputs;
}

std::vector<std::int64_t> read_input(const json::Value& inputs, const std::string& field) {
  std::vector<std::int64_t> joined;
  for (const json::Value& row : inputs.at(field)) {
    for (const json::Value& value : row) joined.push_back(value.get<std::int64_t>());
  }
  return joined;
}

GoldenCase read_case(const json::Value& document) {
  GoldenCase one;
  one.name = document.at("name").get<std::string>();
  const json::Value& inputs = document.at("inputs");
  one.batch = static_cast<std::int64_t>(inputs.at("input_ids").size());
  one.sequence = static_cast<std::int64_t>(inputs.at("input_ids").at(0).size());
  one.input_ids = read_input(inputs, "input_ids");
  one.attention_mask = read_input(inputs, "attention_mask");
  one.token_type_ids.assign(one.input_ids.size(), 0);
  if (inputs.contains("token_type_ids")) one.token_type_ids = read_input(inputs, "token_type_ids");
  one.outputs = read_outputs(document, "outputs");
  one.double_outputs = read_outputs(document, "double_outputs");
  if (document.contains("hidden_states")) {
    for (const json::Value& state : document.at("hidden_states")) one.hidden_states.push_back(read_tensor(state));
  }
  return one;
}

std::map<std::string, json::Value> read_fields(const json::Value& document, const std::string& field) {
  std::map<std::string, json::Value> fields;
  if (!document.contains(field)) return fields;
  for (const auto& [name, value] : document.at(field).items()) fields.emplace(name, value);
  return fields;
}

}  // namespace

std::span<const double> GoldenTensor::row(std::int64_t index) const {
  const std::size_t length = values.size() / static_cast<std::size_t>(shape.at(0));
  return std::span(values).subspan(static_cast<std::size_t>(index) * length, length);
}

std::vector<std::int64_t> GoldenCase::row(const std::vector<std::int64_t>& input, std::int64_t index) const {
  const auto begin = input.begin() + index * sequence;
  return {begin, begin + sequence};
}

std::vector<std::string> golden_names() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(data("goldens"))) {
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

Golden read_golden(const std::string& name) {
  Golden golden;
  golden.name = name;
  golden.folder = data("goldens/" + name);
  const json::Value document = json::read_document(golden.folder / "golden.json");
  golden.note = document.at("note").get<std::string>();
  golden.task = document.at("task").get<std::string>();
  golden.tolerance = document.at("tolerance").get<double>();
  golden.double_tolerance = document.value("double_tolerance", kDoubleTolerance);
  golden.counts = read_fields(document, "counts");
  golden.counts_not = read_fields(document, "counts_not");
  golden.epsilon_counts = document.at("epsilon_counts").get<bool>();
  for (const json::Value& one : document.at("cases")) golden.cases.push_back(read_case(one));
  return golden;
}

std::string test_name_of(const std::string& golden) {
  std::string name = golden;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

double largest_difference(std::span<const double> some, std::span<const double> others) {
  if (some.size() != others.size()) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (std::size_t i = 0; i < some.size(); ++i) {
    const double difference = std::abs(some[i] - others[i]);
    if (!(difference <= largest)) largest = difference;
    if (std::isnan(difference)) return difference;
  }
  return largest;
}

}  // namespace berth::test
