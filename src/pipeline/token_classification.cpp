// token-classification: the best label of each token (aggregation strategy "none" of Transformers).
#include <algorithm>

#include "base/utf8.h"
#include "pipeline/task.h"

namespace berth::pipeline {
namespace {

// The text that spans refer to, as code points; words joined by spaces, with where each begins.
struct Source {
  std::u32string text;
  std::vector<std::uint32_t> word_starts;
};

Source source_of(const Input& input) {
  if (input.words.empty()) return {utf8::to_utf32(utf8::replace_invalid(input.text)), {}};
  Source source;
  for (const std::string& word : input.words) {
    if (!source.word_starts.empty()) source.text += U' ';
    source.word_starts.push_back(static_cast<std::uint32_t>(source.text.size()));
    source.text += utf8::to_utf32(utf8::replace_invalid(word));
  }
  return source;
}

class TokenLabeller final : public Task {
 public:
  TokenLabeller(std::vector<std::string> labels, std::vector<std::string> ignored)
      : labels_(std::move(labels)), ignored_(std::move(ignored)) {}

  [[nodiscard]] bool per_token() const override { return true; }

  [[nodiscard]] Answer answer(const Row& row) const override {
    const Source source = source_of(row.input);
    TokenClassification tokens;
    for (std::size_t i = 0; i < row.encoding.ids.size(); ++i) {
      if (row.encoding.special_tokens_mask[i] != 0) continue;
      TokenLabel token = label_of(row, i);
      if (std::find(ignored_.begin(), ignored_.end(), token.entity) != ignored_.end()) continue;
      place(row, i, source, token);
      tokens.push_back(std::move(token));
    }
    Answer answer{std::move(tokens)};
    note_truncation(row.encoding, answer);
    return answer;
  }

 private:
  [[nodiscard]] TokenLabel label_of(const Row& row, std::size_t i) const {
    const std::span<const float> logits = row.logits.subspan(i * labels_.size(), labels_.size());
    const auto best = static_cast<std::size_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
    TokenLabel token;
    token.entity = labels_[best];
    token.score = to_scores(Function::softmax, logits)[best];
    token.index = i;
    return token;
  }

  static void place(const Row& row, std::size_t i, const Source& source, TokenLabel& token) {
    token.span = row.encoding.offsets[i];
    if (!source.word_starts.empty()) {
      token.word_index = row.encoding.word_ids[i];
      const std::uint32_t start = source.word_starts[static_cast<std::size_t>(row.encoding.word_ids[i])];
      token.span.start += start;
      token.span.end += start;
    }
    token.text =
        utf8::to_utf8(std::u32string_view(source.text).substr(token.span.start, token.span.end - token.span.start));
    const std::int32_t id = row.encoding.ids[i];
    token.word = row.tokenizer.unknown_id() == id ? token.text : row.tokenizer.token_of(id);
  }

  std::vector<std::string> labels_;
  std::vector<std::string> ignored_;
};

}  // namespace

std::unique_ptr<const Task> make_token_classification(const bundle::Bundle& bundle, const Options& options) {
  return std::make_unique<TokenLabeller>(bundle.labels, options.ignore_labels);
}

}  // namespace berth::pipeline
