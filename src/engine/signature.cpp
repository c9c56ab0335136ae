// Matching a graph's declared inputs and outputs with a ragged batch.
#include "engine/signature.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace berth::engine {
namespace {

using State = OutputMapping::State;
using graph::Dimension;
using graph::Value;

struct FieldRow {
  std::string_view name;
  Field field;
  bool required;
};

constexpr std::array kFields = {
    FieldRow{"input_ids", Field::ids, true},
    FieldRow{"attention_mask", Field::mask, true},
    FieldRow{"token_type_ids", Field::type_ids, false},
    FieldRow{"position_ids", Field::position_ids, false},
};

constexpr const char* kSecondDoor = "such a graph runs on named tensors only";

bool is_fixed(const Dimension& dimension) { return std::holds_alternative<std::int64_t>(dimension); }

// Equal and certain: two sizes, or the same name. An unnamed dimension equals nothing.
bool same(const Dimension& a, const Dimension& b) {
  const auto* const name = std::get_if<std::string>(&a);
  return a == b && (name == nullptr || !name->empty());
}

bool is_real(const Value& value) {
  const auto dtype = graph::dtype_of(value.type);
  return dtype && is_floating(*dtype);
}

// The first reason why the inputs cannot be fed from a ragged batch, filling `signature.fields` on the way.
std::optional<Error> match_fields(Signature& signature, const std::string& where) {
  for (const Value& input : signature.inputs) {
    const auto row =
        std::find_if(kFields.begin(), kFields.end(), [&](const FieldRow& r) { return r.name == input.name; });
    if (row == kFields.end()) {
      return Error(ErrorKind::unsupported, where,
                   "has the input " + describe(input) + ", which berth cannot fill from text", kSecondDoor);
    }
    const auto dtype = graph::dtype_of(input.type);
    if ((dtype != DType::i64 && dtype != DType::i32) || !input.shape || input.shape->size() != 2) {
      return Error(ErrorKind::unsupported, where,
                   "has the input " + describe(input) + ", expected int64 or int32 [batch, sequence]", kSecondDoor);
    }
    signature.fields.push_back({row->field, input.name, *dtype});
  }
  for (const FieldRow& row : kFields) {
    const bool found = std::any_of(signature.fields.begin(), signature.fields.end(),
                                   [&](const FieldInput& input) { return input.field == row.field; });
    if (row.required && !found) {
      return Error(ErrorKind::unsupported, where,
                   "has no input " + std::string(row.name) + ", which a batch of texts needs", kSecondDoor);
    }
  }
  return std::nullopt;
}

// Sizes that any input fixes; a graph that fixes them differently is left to the runtime to refuse.
FixedShape read_fixed(const Signature& signature) {
  FixedShape fixed;
  for (const Value& input : signature.inputs) {
    const auto& shape = *input.shape;
    if (const auto* size = std::get_if<std::int64_t>(&shape[0])) fixed.batch = static_cast<std::size_t>(*size);
    if (const auto* size = std::get_if<std::int64_t>(&shape[1])) fixed.sequence = static_cast<std::size_t>(*size);
  }
  return fixed;
}

OutputMapping map_declared(const Value& output, const std::vector<Dimension>& ids) {
  OutputMapping mapping;
  if (!is_real(output)) return mapping;
  mapping.layout.dtype = *graph::dtype_of(output.type);
  mapping.state = State::unknown;
  if (!output.shape) return mapping;
  const std::vector<Dimension>& shape = *output.shape;
  if (shape.empty()) return {State::unmapped, {}};
  if (!same(shape[0], ids[0])) return mapping;

  mapping.layout.per_token = shape.size() >= 2 && same(shape[1], ids[1]);
  for (std::size_t i = mapping.layout.per_token ? 2 : 1; i < shape.size(); ++i) {
    if (same(shape[i], ids[0]) && !is_fixed(ids[0])) return {State::unmapped, {}};
    if (same(shape[i], ids[1]) && !is_fixed(ids[1])) return {State::unmapped, {}};
    if (!is_fixed(shape[i])) return mapping;
    mapping.layout.trailing.push_back(std::get<std::int64_t>(shape[i]));
  }
  mapping.state = State::mapped;
  return mapping;
}

std::string names_of(const std::vector<Value>& values) {
  std::string names;
  for (const Value& value : values) names += (names.empty() ? "" : ", ") + value.name;
  return names;
}

}  // namespace

Shape Layout::shape(std::int64_t batch, std::int64_t sequence) const {
  Shape shape{batch};
  if (per_token) shape.push_back(sequence);
  shape.insert(shape.end(), trailing.begin(), trailing.end());
  return shape;
}

Signature read_signature(std::vector<Value> inputs, std::vector<Value> outputs, const std::string& where) {
  Signature signature;
  signature.inputs = std::move(inputs);
  signature.outputs = std::move(outputs);
  signature.mappings.resize(signature.outputs.size());
  signature.obstacle = match_fields(signature, where);
  if (signature.obstacle) return signature;
  signature.fixed = read_fixed(signature);
  const std::size_t ids = index_of(signature.inputs, "input_ids", where);
  std::transform(signature.outputs.begin(), signature.outputs.end(), signature.mappings.begin(),
                 [&](const Value& output) { return map_declared(output, *signature.inputs[ids].shape); });
  return signature;
}

OutputMapping observe(DType dtype, const RunShape& small, const RunShape& large) {
  const std::size_t rank = small.output.size();
  if (rank == 0 || large.output.size() != rank || small.output[0] != small.batch || large.output[0] != large.batch)
    return {};
  OutputMapping mapping;
  mapping.layout.dtype = dtype;
  mapping.layout.per_token = rank >= 2 && small.output[1] == small.sequence && large.output[1] == large.sequence;
  const auto first = static_cast<std::ptrdiff_t>(mapping.layout.per_token ? 2 : 1);
  mapping.layout.trailing.assign(small.output.begin() + first, small.output.end());
  const bool constant = std::equal(small.output.begin() + first, small.output.end(), large.output.begin() + first);
  mapping.state = constant ? State::mapped : State::unmapped;
  return mapping;
}

std::vector<std::size_t> select_mapped(const Signature& signature, std::span<const std::string> wanted,
                                       const std::string& where) {
  std::vector<std::size_t> selected;
  for (std::size_t i = 0; wanted.empty() && i < signature.outputs.size(); ++i) {
    if (signature.mappings[i].state == State::mapped) selected.push_back(i);
  }
  for (const std::string& name : wanted) {
    const std::size_t index = index_of(signature.outputs, name, where);
    if (signature.mappings[index].state != State::mapped) {
      throw Error(
          ErrorKind::unsupported, where,
          "gives " + describe(signature.outputs[index]) + ", which is not a row of reals for each text or token",
          kSecondDoor);
    }
    selected.push_back(index);
  }
  if (selected.empty()) {
    throw Error(ErrorKind::unsupported, where,
                "has no output that is a row of reals for each text or token: " + names_of(signature.outputs),
                kSecondDoor);
  }
  return selected;
}

std::size_t index_of(const std::vector<Value>& values, const std::string& name, const std::string& where) {
  const auto found = std::find_if(values.begin(), values.end(), [&](const Value& value) { return value.name == name; });
  if (found == values.end()) {
    throw Error(ErrorKind::not_found, where, "has no '" + name + "'; it has " + names_of(values));
  }
  return static_cast<std::size_t>(found - values.begin());
}

std::string describe(const Value& value) {
  std::string text = value.name + ": " + graph::name_of(value.type);
  if (!value.shape) return text;
  text += " [";
  for (std::size_t i = 0; i < value.shape->size(); ++i) {
    const Dimension& dimension = (*value.shape)[i];
    const auto* const size = std::get_if<std::int64_t>(&dimension);
    const std::string name = size != nullptr ? std::to_string(*size) : std::get<std::string>(dimension);
    text += (i == 0 ? "" : ", ") + (name.empty() ? "?" : name);
  }
  return text + "]";
}

}  // namespace berth::engine
