// Texts with the answers a model gave when it was published, one JSON object a line.
#include <algorithm>

#include "base/file.h"
#include "base/json.h"
#include "berth/bundle.h"
#include "berth/error.h"

namespace berth::bundle {
namespace {

using json::Object;
using json::Value;

constexpr std::int64_t kMaxValues = 1024;

template <typename T>
std::vector<T> require_numbers(const Object& object, std::string_view field) {
  const Value* const list = object.find(field);
  const bool fits = list != nullptr && list->is_array() &&
                    std::all_of(list->begin(), list->end(), [](const Value& v) { return v.is_number(); });
  if (!fits) throw Error(ErrorKind::invalid_input, object.where(field), "is missing or no list of numbers");
  return list->get<std::vector<T>>();
}

SelftestOutput to_output(const std::string& name, const Object& object) {
  SelftestOutput output;
  output.name = name;
  output.count = object.require<std::int64_t>("count");
  output.stride = object.require<std::int64_t>("stride");
  output.values = require_numbers<float>(object, "values");
  const auto kept = static_cast<std::int64_t>(output.values.size());
  if (output.stride < 1 || output.count < 0 || (output.count + output.stride - 1) / output.stride != kept) {
    throw Error(ErrorKind::invalid_input, object.where(), "count, stride and number of values do not agree");
  }
  return output;
}

SelftestRow to_row(const Object& object) {
  SelftestRow row;
  row.text = object.require<std::string>("text");
  row.ids = require_numbers<std::int32_t>(object, "ids");
  row.tolerance = object.require<double>("tolerance");
  const auto starts = require_numbers<std::uint32_t>(object, "starts");
  const auto ends = require_numbers<std::uint32_t>(object, "ends");
  if (starts.size() != ends.size()) {
    throw Error(ErrorKind::invalid_input, object.where("ends"), "is not as long as \"starts\"");
  }
  for (std::size_t i = 0; i < starts.size(); ++i) row.offsets.push_back({starts[i], ends[i]});
  const Value* const outputs = object.find("outputs");
  if (outputs == nullptr) throw Error(ErrorKind::invalid_input, object.where("outputs"), "is missing");
  const Object named(*outputs, object.where("outputs"));
  for (const auto& [name, value] : named.value().items()) {
    row.outputs.push_back(to_output(name, Object(value, named.where(name))));
  }
  return row;
}

}  // namespace

std::string to_jsonl(const std::vector<SelftestRow>& rows) {
  std::string lines;
  for (const SelftestRow& row : rows) {
    Value starts = Value::array();
    Value ends = Value::array();
    for (const text::Span& span : row.offsets) {
      starts.push_back(span.start);
      ends.push_back(span.end);
    }
    Value outputs = Value::object();
    for (const SelftestOutput& output : row.outputs) {
      outputs[output.name] = {{"count", output.count}, {"stride", output.stride}, {"values", output.values}};
    }
    const Value object = {{"text", row.text}, {"ids", row.ids},     {"starts", starts},
                          {"ends", ends},     {"outputs", outputs}, {"tolerance", row.tolerance}};
    lines += object.dump() + "\n";
  }
  return lines;
}

std::vector<SelftestRow> read_selftest(const std::filesystem::path& file) {
  constexpr std::uint64_t kMaxBytes = 64U << 20;
  const std::string content = read_file(file, kMaxBytes);
  std::vector<SelftestRow> rows;
  std::string_view rest = content;
  for (std::size_t line = 1; !rest.empty(); ++line) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string where = file.string() + ": line " + std::to_string(line);
    const Value value = json::parse(rest.substr(0, end), where);
    rows.push_back(to_row(Object(value, where)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (rows.empty()) throw Error(ErrorKind::invalid_input, file.string(), "holds no rows");
  return rows;
}

SelftestOutput sample_output(const engine::Output& output, std::size_t sequence,
                             std::span<const std::int64_t> offsets) {
  const std::span<const float> all = output.of(sequence, offsets);
  SelftestOutput sample;
  sample.name = output.name;
  sample.count = static_cast<std::int64_t>(all.size());
  sample.stride = std::max<std::int64_t>(1, (sample.count + kMaxValues - 1) / kMaxValues);
  if (sample.stride > 1 && sample.stride % 2 == 0)
    ++sample.stride;  // most widths are even: an even step would miss columns
  for (std::size_t i = 0; i < all.size(); i += static_cast<std::size_t>(sample.stride)) sample.values.push_back(all[i]);
  return sample;
}

}  // namespace berth::bundle
