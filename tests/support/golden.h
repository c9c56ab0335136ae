// The goldens of tests/data/goldens: tiny checkpoints, inputs, and what PyTorch says of them (tools/make_goldens.py).
//
//   const Golden golden = read_golden("question-answering");
//   for (const GoldenCase& one : golden.cases) …
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/json.h"
#include "berth/tensor.h"

namespace berth::test {

struct GoldenTensor {
  Shape shape;  // begins with the batch
  std::vector<double> values;

  // What belongs to one text of the batch.
  [[nodiscard]] Shape row_shape() const { return {shape.begin() + 1, shape.end()}; }
  [[nodiscard]] std::span<const double> row(std::int64_t index) const;
};

// A padded batch as users give it to Transformers; the inputs are [batch, sequence], row-major.
struct GoldenCase {
  std::string name;
  std::int64_t batch = 0;
  std::int64_t sequence = 0;
  std::vector<std::int64_t> input_ids;
  std::vector<std::int64_t> attention_mask;
  std::vector<std::int64_t> token_type_ids;            // zeros where the family has none
  std::map<std::string, GoldenTensor> outputs;         // float32's
  std::map<std::string, GoldenTensor> double_outputs;  // float64's; empty in most cases
  std::vector<GoldenTensor> hidden_states;             // embeddings, then each layer; empty in most cases

  // One text's part of one of the three inputs.
  [[nodiscard]] std::vector<std::int64_t> row(const std::vector<std::int64_t>& input, std::int64_t index) const;
};

struct Golden {
  std::string name;
  std::filesystem::path folder;  // a checkpoint, with golden.json beside it
  std::string note;              // what is special about it
  std::string task;              // as Transformers' pipelines spell it
  double tolerance = 0;          // of outputs and hidden states
  double double_tolerance = 0;   // of double_outputs
  bool epsilon_counts = false;   // whether layer_norm_eps moves the outputs
  std::map<std::string, json::Value> counts;      // other values of config fields, each of which moves the outputs
  std::map<std::string, json::Value> counts_not;  // and such as must not
  std::vector<GoldenCase> cases;
};

[[nodiscard]] std::vector<std::string> golden_names();  // sorted
[[nodiscard]] Golden read_golden(const std::string& name);

// A golden's name as GoogleTest takes it for a parameter: "one_head".
[[nodiscard]] std::string test_name_of(const std::string& golden);

// The largest |a - b|; infinite when the lengths differ, NaN when a value is.
[[nodiscard]] double largest_difference(std::span<const double> some, std::span<const double> others);

}  // namespace berth::test
