// What a task is to the pipeline: how an input becomes a row of tokens, and how the model's output for it becomes an answer.
#pragma once

#include <memory>
#include <span>

#include "berth/pipeline.h"

namespace berth::pipeline {

// One input on its way through the model. References live as long as the call of Pipeline::run.
struct Row {
  const Input& input;
  const text::Encoding& encoding;
  const text::Tokenizer& tokenizer;
  std::span<const float> logits;                 // [labels], or [tokens, labels]
};

class Task {
 public:
  virtual ~Task() = default;
  [[nodiscard]] virtual text::Encoding encode(const text::Tokenizer& tokenizer, const Input& input,
                                              const text::EncodeOptions& options) const;
  [[nodiscard]] virtual Answer answer(const Row& row) const = 0;
  [[nodiscard]] virtual bool per_token() const = 0;
};

// A new task is one file with such a function, and one row in tasks.cpp.
struct TaskRow {
  std::string_view name;
  std::unique_ptr<const Task> (*make)(const bundle::Bundle& bundle, const Options& options);
};

[[nodiscard]] std::span<const TaskRow> tasks();

[[nodiscard]] std::unique_ptr<const Task> make_text_classification(const bundle::Bundle& bundle, const Options& options);
[[nodiscard]] std::unique_ptr<const Task> make_token_classification(const bundle::Bundle& bundle, const Options& options);

// Fills `truncated` and `read_chars`.
void note_truncation(const text::Encoding& encoding, Answer& answer);

}  // namespace berth::pipeline
