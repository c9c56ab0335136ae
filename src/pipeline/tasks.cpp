// The table of tasks, and what all of them share.
#include <algorithm>
#include <array>
#include <cmath>

#include "pipeline/task.h"

namespace berth::pipeline {
namespace {

constexpr std::array<TaskRow, 2> kTasks{{
    {"text-classification", make_text_classification},
    {"token-classification", make_token_classification},
}};

}  // namespace

std::span<const TaskRow> tasks() { return kTasks; }

std::vector<std::string_view> task_names() {
  std::vector<std::string_view> names;
  for (const TaskRow& row : kTasks) names.push_back(row.name);
  return names;
}

text::Encoding Task::encode(const text::Tokenizer& tokenizer, const Input& input,
                            const text::EncodeOptions& options) const {
  if (!input.words.empty()) return tokenizer.encode_words(input.words, options);
  if (input.text_pair) return tokenizer.encode_pair(input.text, *input.text_pair, options);
  return tokenizer.encode(input.text, options);
}

void note_truncation(const text::Encoding& encoding, Answer& answer) {
  answer.truncated = encoding.truncated;
  if (!encoding.truncated) return;
  for (std::size_t i = 0; i < encoding.offsets.size(); ++i) {
    if (encoding.sequence_ids[i] == 0)
      answer.read_chars = std::max<std::size_t>(answer.read_chars, encoding.offsets[i].end);
  }
}

std::vector<double> to_scores(Function function, std::span<const float> logits) {
  std::vector<double> scores(logits.begin(), logits.end());
  switch (function) {
    case Function::none: break;
    case Function::sigmoid:
      for (double& score : scores) score = 1.0 / (1.0 + std::exp(-score));
      break;
    case Function::softmax: {
      const double highest = *std::max_element(scores.begin(), scores.end());
      double sum = 0;
      for (double& score : scores) sum += score = std::exp(score - highest);
      for (double& score : scores) score /= sum;
      break;
    }
  }
  return scores;
}

}  // namespace berth::pipeline
