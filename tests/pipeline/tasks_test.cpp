// From logits to answers, without a model: order, ties, labels that are ignored, slices of the text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.h"
#include "pipeline/task.h"
#include "support/paths.h"

namespace berth::pipeline {
namespace {

using ::testing::ElementsAre;

const text::Tokenizer& tokenizer() {
  static const auto loaded = text::Tokenizer::from_folder(test::data("cases/tiny-cls"), {});
  return loaded;
}

bundle::Bundle model_with(std::vector<std::string> labels, std::string problem_type = "") {
  bundle::Bundle bundle;
  bundle.labels = std::move(labels);
  bundle.problem_type = std::move(problem_type);
  return bundle;
}

// The answer to `input` when the model gives these logits.
Answer answer(const Task& task, const Input& input, std::vector<float> logits,
              std::optional<std::size_t> max_length = {}) {
  text::EncodeOptions options;
  options.max_length = max_length;
  const text::Encoding encoding = task.encode(tokenizer(), input, options);
  if (task.per_token()) logits.resize(encoding.ids.size() * 2, 0.0F);
  return task.answer({input, encoding, tokenizer(), logits});
}

std::vector<std::string> labels_of(const Answer& answer) {
  std::vector<std::string> labels;
  for (const LabelScore& row : std::get<Classification>(answer.result)) labels.push_back(row.label);
  return labels;
}

TEST(TextClassification, GivesTheBestLabelFirst) {
  const bundle::Bundle model = model_with({"a", "b", "c"});
  const Input input{"paris", {}, {}};
  EXPECT_THAT(labels_of(answer(*make_text_classification(model, {}), input, {1, 3, 2})), ElementsAre("b"));
  Options all;
  all.top_k = std::nullopt;
  EXPECT_THAT(labels_of(answer(*make_text_classification(model, all), input, {1, 3, 2})), ElementsAre("b", "c", "a"));
  EXPECT_THAT(labels_of(answer(*make_text_classification(model, all), input, {2, 2, 2})), ElementsAre("a", "b", "c"));
}

TEST(TextClassification, ChoosesTheFunctionAsTransformersDoes) {
  const auto score = [](std::vector<std::string> labels, const std::string& problem_type, std::vector<float> logits) {
    const Answer result = answer(*make_text_classification(model_with(std::move(labels), problem_type), {}),
                                 {"x", {}, {}}, std::move(logits));
    return std::get<Classification>(result.result)[0].score;
  };
  EXPECT_NEAR(score({"a"}, "", {2}), 0.880797, 5e-7);
  EXPECT_EQ(score({"a"}, "regression", {2}), 2.0);
  EXPECT_NEAR(score({"a", "b"}, "multi_label_classification", {2, -1}), 0.880797, 5e-7);
  EXPECT_NEAR(score({"a", "b"}, "single_label_classification", {2, -1}), 0.952574, 5e-7);
}

TEST(TextClassification, KeepsTheOrderOfScoresThatRoundToOne) {
  Options all;
  all.top_k = std::nullopt;
  const bundle::Bundle model = model_with({"a", "b", "c"}, "multi_label_classification");
  EXPECT_THAT(labels_of(answer(*make_text_classification(model, all), {"x", {}, {}}, {175, 250, 200})),
              ElementsAre("b", "c", "a"));
}

TEST(TextClassification, SaysWhatItRead) {
  const Answer result =
      answer(*make_text_classification(model_with({"a", "b"}), {}), {"john smith lives in paris", {}, {}}, {1, 0}, 5);
  EXPECT_TRUE(result.truncated);
  EXPECT_EQ(result.read_chars, 16U);  // "john smith lives"
  EXPECT_EQ(json::parse(to_json(result), "answer")["read_chars"], 16);
}

TEST(TokenClassification, NamesTokensWithTheirSlices) {
  // [CLS] john smith lives [SEP]: the second label for "smith" only.
  const Answer result = answer(*make_token_classification(model_with({"O", "B-x"}), {}), {"😀 john smith", {}, {}},
                               {0, 9, 0, 0, 0, 0, 0, 3});
  const auto& tokens = std::get<TokenClassification>(result.result);
  ASSERT_EQ(tokens.size(), 1U);
  EXPECT_EQ(tokens[0].entity, "B-x");
  EXPECT_NEAR(tokens[0].score, 0.952574, 5e-7);
  EXPECT_EQ(tokens[0].index, 3U);
  EXPECT_EQ(tokens[0].word, "smith");
  EXPECT_EQ(tokens[0].span, (text::Span{7, 12}));  // code points
  EXPECT_EQ(tokens[0].text, "smith");
}

TEST(TokenClassification, ShowsTheTextOfAnUnknownToken) {
  Options everything;
  everything.ignore_labels = {};
  const Answer result = answer(*make_token_classification(model_with({"O", "B-x"}), everything), {"😀", {}, {}}, {});
  const auto& tokens = std::get<TokenClassification>(result.result);
  ASSERT_EQ(tokens.size(), 1U);
  EXPECT_EQ(tokens[0].word, "😀");
}

TEST(TokenClassification, CountsSpansOfSplitWordsInTheJoinedText) {
  Options everything;
  everything.ignore_labels = {};
  const Answer result =
      answer(*make_token_classification(model_with({"O", "B-x"}), everything), {"", {}, {"john", "smith"}}, {});
  const auto& tokens = std::get<TokenClassification>(result.result);
  ASSERT_EQ(tokens.size(), 2U);
  EXPECT_EQ(tokens[1].span, (text::Span{5, 10}));
  EXPECT_EQ(tokens[1].text, "smith");
  EXPECT_EQ(tokens[1].word_index, 1);
}

}  // namespace
}  // namespace berth::pipeline
