// What a loaded graph takes and gives, and how that maps to a ragged batch: which inputs are the fields of BERT, and
// which outputs have rows for sequences or for tokens.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "berth/error.h"
#include "berth/graph.h"
#include "berth/tensor.h"
#include "engine/batching.h"

namespace berth::engine {

struct FieldInput {
  Field field;
  std::string name;
  DType dtype;  // i64 or i32
};

// [batch, sequence, …] when per token, else [batch, …]; `trailing` are the sizes after these.
struct Layout {
  bool per_token = false;
  Shape trailing;
  DType dtype = DType::f32;  // f32, f16, bf16 or f64

  [[nodiscard]] std::int64_t width() const { return element_count(trailing); }
  [[nodiscard]] Shape shape(std::int64_t batch, std::int64_t sequence) const;
};

// How an output stands to a ragged batch.
struct OutputMapping {
  enum class State { mapped, unmapped, unknown };  // unknown: the declared shape does not say
  State state = State::unmapped;
  Layout layout;
};

struct Signature {
  std::vector<graph::Value> inputs;
  std::vector<graph::Value> outputs;
  std::vector<FieldInput> fields;
  std::vector<OutputMapping> mappings;  // one an output
  FixedShape fixed;
  std::optional<Error> obstacle;  // why a ragged batch cannot be fed
};

[[nodiscard]] Signature read_signature(std::vector<graph::Value> inputs, std::vector<graph::Value> outputs,
                                       const std::string& where);

// Decides an unknown output by the shapes that two runs gave it: one of `small` and one of `large` sizes, all
// different.
struct RunShape {
  std::int64_t batch;
  std::int64_t sequence;
  Shape output;
};
[[nodiscard]] OutputMapping observe(DType dtype, const RunShape& small, const RunShape& large);

// Indices of the wanted outputs, all mapped ones when `wanted` is empty. Error{not_found} names those that exist,
// Error{unsupported} an output that has no ragged form.
[[nodiscard]] std::vector<std::size_t> select_mapped(const Signature& signature, std::span<const std::string> wanted,
                                                     const std::string& where);
[[nodiscard]] std::size_t index_of(const std::vector<graph::Value>& values, const std::string& name,
                                   const std::string& where);

[[nodiscard]] std::string describe(const graph::Value& value);  // "logits: float32 [batch_size, 2]"

}  // namespace berth::engine
