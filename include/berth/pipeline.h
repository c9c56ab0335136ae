// Tasks: from texts to answers. Answers have the fields of Transformers' pipelines.
//
//   const auto pipeline = pipeline::Pipeline(bundle::open("sentiment", {}), {}, {});
//   const std::vector<pipeline::Answer> answers = pipeline.run(inputs);
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "berth/bundle.h"
#include "berth/engine.h"
#include "berth/text.h"

namespace berth::pipeline {

// A text, or a pair of texts, or a text that is split into words already (then `text` is not used).
struct Input {
  std::string text;
  std::optional<std::string> text_pair;
  std::vector<std::string> words;
};

struct LabelScore {
  std::string label;
  double score = 0;
};

// A token with its best label. Spans are code points of the text; of words joined by single spaces when it was split.
struct TokenLabel {
  std::string entity;
  double score = 0;
  std::size_t index = 0;                         // of the token in its row, special tokens counted
  std::string word;                              // the token as the vocabulary spells it; the text itself where that is unknown
  text::Span span;
  std::string text;                              // the slice of the text
  std::optional<std::int32_t> word_index;        // only for texts that were split already
};

using Classification = std::vector<LabelScore>;  // best first
using TokenClassification = std::vector<TokenLabel>;

struct Answer {
  std::variant<Classification, TokenClassification> result;
  bool truncated = false;
  std::size_t read_chars = 0;                    // code points of the (first) text that the model saw, when truncated
};

enum class Function { softmax, sigmoid, none };

struct Options {
  std::optional<std::size_t> top_k = 1;          // nothing: all labels
  std::optional<Function> function_to_apply;     // by the config's problem type when not set
  std::optional<std::size_t> max_length;         // tokens, no more than the model's limit
  std::vector<std::string> ignore_labels{"O"};
};

// The names of the tasks that a Pipeline does.
[[nodiscard]] std::vector<std::string_view> task_names();

class Task;

// Immutable: one may be shared by many threads.
class Pipeline {
 public:
  // Loads tokenizer and model. Error{unsupported} for a task that is not in task_names().
  Pipeline(bundle::Bundle bundle, const engine::Options& engine_options, const Options& options);
  ~Pipeline();
  Pipeline(Pipeline&&) noexcept;
  Pipeline& operator=(Pipeline&&) noexcept;

  // One answer an input, in order. Texts past the model's limit are cut on the right and say so.
  // Error{internal} that names the model when it gives NaN or infinite logits.
  [[nodiscard]] std::vector<Answer> run(std::span<const Input> inputs, engine::RunStatistics* statistics = nullptr) const;

  [[nodiscard]] const bundle::Bundle& bundle() const noexcept { return bundle_; }
  [[nodiscard]] const engine::Engine& engine() const noexcept { return engine_; }
  [[nodiscard]] const text::Tokenizer& tokenizer() const noexcept { return tokenizer_; }

 private:
  bundle::Bundle bundle_;
  text::Tokenizer tokenizer_;
  engine::Engine engine_;
  std::unique_ptr<const Task> task_;
  text::EncodeOptions encode_options_;
};

// {"answer": [{label, score}], "truncated": false}, or with a list of {entity, score, index, word, start, end, text};
// one line, valid UTF-8.
[[nodiscard]] std::string to_json(const Answer& answer);

// In double precision; softmax subtracts the maximum. Order is kept.
[[nodiscard]] std::vector<double> to_scores(Function function, std::span<const float> logits);

}  // namespace berth::pipeline
