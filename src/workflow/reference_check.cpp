// The reference speaks; where the graph disagrees, the first layer that drifts is looked for.
#include "workflow/reference_check.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/cpu.h"
#include "base/log.h"

namespace berth::workflow {
namespace {

bool all_finite(const TensorView& view) {
  constexpr std::int64_t kBlock = 4096;
  std::vector<double> block(kBlock);
  const std::int64_t count = element_count(view.shape);
  for (std::int64_t first = 0; first < count; first += kBlock) {
    const std::int64_t size = std::min(kBlock, count - first);
    widen(view, first, size, block.data());
    if (!std::all_of(block.begin(), block.begin() + size, [](double value) { return std::isfinite(value); }))
      return false;
  }
  return true;
}

void warn_of_weights_not_finite(const checkpoint::Checkpoint& checkpoint, encoder::Head head) {
  for (const auto& [name, view] : encoder::bind(checkpoint, head)) {
    if (!all_finite(view)) log_warning("the weight " + name + " holds an infinite or NaN value");
  }
}

}  // namespace

std::vector<TextRow> verification_rows(const text::Tokenizer* tokenizer, std::int64_t vocabulary,
                                       std::size_t max_tokens, const VerifyOptions& options) {
  const std::vector<std::string> texts = options.texts ? read_texts(*options.texts) : bundled_texts();
  const RowLimits limits{max_tokens, options.full};
  return tokenizer != nullptr ? tokenize(texts, *tokenizer, limits) : seeded_rows(texts, vocabulary, limits);
}

Comparison compare_with_reference(const engine::Engine& engine, const std::filesystem::path& model_file,
                                  const checkpoint::Checkpoint& checkpoint, encoder::Head head,
                                  std::span<const TextRow> rows, const Limits& limits,
                                  const engine::Options& engine_options, Progress& progress) {
  warn_of_weights_not_finite(checkpoint, head);
  const encoder::Reference reference(checkpoint, head, engine_options.threads.value_or(cpu().thread_budget));
  const Expected expected = expect_reference(reference);
  Comparison comparison = compare(engine, rows, expected, limits, progress);
  comparison.subject = "the reference";
  comparison.batch_tolerance = kBatchTolerance;
  checkpoint.require_intact();
  if (!comparison.passed()) {
    comparison.drift = find_drift(model_file, expected, rows, limits, engine_options, progress);
  }
  return comparison;
}

}  // namespace berth::workflow
