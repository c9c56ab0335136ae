// text-classification: the labels of a text (or of a pair of texts), with scores.
#include <algorithm>
#include <numeric>

#include "pipeline/task.h"

namespace berth::pipeline {
namespace {

// Transformers' rule (TextClassificationPipeline.postprocess).
Function function_for(const bundle::Bundle& bundle, const Options& options) {
  if (options.function_to_apply) return *options.function_to_apply;
  if (bundle.problem_type == "regression") return Function::none;
  if (bundle.problem_type == "multi_label_classification" || bundle.labels.size() == 1) return Function::sigmoid;
  return Function::softmax;
}

class TextClassification final : public Task {
 public:
  TextClassification(std::vector<std::string> labels, Function function, std::optional<std::size_t> top_k)
      : labels_(std::move(labels)), function_(function), top_k_(top_k) {}

  [[nodiscard]] bool per_token() const override { return false; }

  [[nodiscard]] Answer answer(const Row& row) const override {
    const std::vector<double> scores = to_scores(function_, row.logits);
    std::vector<std::size_t> order(scores.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    // By logit, not by score: scores that are equal in the last place must not hide which label is ahead.
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return row.logits[a] > row.logits[b]; });
    Classification best;
    for (const std::size_t i : order) {
      if (top_k_ && best.size() == *top_k_) break;
      best.push_back({labels_[i], scores[i]});
    }
    Answer answer{std::move(best)};
    note_truncation(row.encoding, answer);
    return answer;
  }

 private:
  std::vector<std::string> labels_;
  Function function_;
  std::optional<std::size_t> top_k_;
};

}  // namespace

std::unique_ptr<const Task> make_text_classification(const bundle::Bundle& bundle, const Options& options) {
  return std::make_unique<TextClassification>(bundle.labels, function_for(bundle, options), options.top_k);
}

}  // namespace berth::pipeline
