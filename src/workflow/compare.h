// Holding a model's answers against what is expected of them: text by text, then in a batch, then in a padded batch.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "berth/encoder.h"
#include "berth/engine.h"
#include "berth/workflow.h"
#include "workflow/texts.h"

namespace berth::workflow {

// For one row, the values of each output by name, flattened. Outputs that only one side has are not compared.
using Values = std::map<std::string, std::vector<double>, std::less<>>;
using Expected = std::function<Values(const TextRow& row)>;

struct Limits {
  double tolerance = 1e-4;
  std::size_t max_tokens = 512;                  // that the model takes: no padding past it
};

[[nodiscard]] Expected expect_reference(const encoder::Reference& reference);
[[nodiscard]] Expected expect_model(const engine::Engine& model);

[[nodiscard]] Comparison compare(const engine::Engine& engine, std::span<const TextRow> rows, const Expected& expected,
                                 const Limits& limits, Progress& progress);

// The first hidden state of the model file that leaves the reference; nothing when none does, or when the graph does
// not name its hidden states. Writes a copy of the model with more outputs to a temporary folder.
[[nodiscard]] std::optional<Drift> find_drift(const std::filesystem::path& model_file, const Expected& expected,
                                              std::span<const TextRow> rows, const Limits& limits,
                                              const engine::Options& engine_options, Progress& progress);

// |a − b|; infinite when one of them is NaN or the infinities differ.
[[nodiscard]] double distance(double a, double b);

}  // namespace berth::workflow
