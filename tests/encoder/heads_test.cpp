// The tables of heads and families, and choosing a head.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "berth/encoder.h"
#include "berth/error.h"
#include "encoder/family.h"

namespace berth::encoder {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

checkpoint::EncoderConfig config_of(const std::string& architecture, const std::string& model_type = "bert") {
  checkpoint::EncoderConfig config;
  config.path = "config.json";
  config.model_type = model_type;
  config.architecture = architecture;
  config.max_positions = 40;
  return config;
}

Error error_of(const checkpoint::EncoderConfig& config, const std::optional<std::string>& task) {
  try {
    static_cast<void>(choose_head(config, task));
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "a head was chosen";
  return {ErrorKind::internal, "", ""};
}

TEST(Heads, HaveOneRowEachWithTheOutputsOfOptimum) {
  std::set<Head> seen;
  for (const HeadRow& row : heads()) seen.insert(row.head);
  EXPECT_EQ(seen.size(), heads().size());
  EXPECT_THAT(row_of(Head::none).outputs, ElementsAre("last_hidden_state", "pooler_output"));
  EXPECT_THAT(row_of(Head::masked_lm).outputs, ElementsAre("logits"));
  EXPECT_THAT(row_of(Head::question_answering).outputs, ElementsAre("start_logits", "end_logits"));
}

TEST(Heads, AreChosenByArchitecture) {
  EXPECT_EQ(choose_head(config_of("BertModel"), {}), Head::none);
  EXPECT_EQ(choose_head(config_of("BertForSequenceClassification"), {}), Head::sequence_classification);
  EXPECT_EQ(choose_head(config_of("BertForTokenClassification"), {}), Head::token_classification);
  EXPECT_EQ(choose_head(config_of("BertForQuestionAnswering"), {}), Head::question_answering);
  EXPECT_EQ(choose_head(config_of("BertForMaskedLM"), {}), Head::masked_lm);
}

TEST(Heads, AreChosenByTaskBeforeArchitecture) {
  EXPECT_EQ(choose_head(config_of("BertForSequenceClassification"), "feature-extraction"), Head::none);
  EXPECT_EQ(choose_head(config_of(""), "fill-mask"), Head::masked_lm);
}

TEST(Heads, RefuseATaskThatIsNotKnownWithThoseThatAre) {
  const Error error = error_of(config_of("BertModel"), "translation");
  EXPECT_EQ(error.kind(), ErrorKind::usage);
  EXPECT_THAT(error.what(), HasSubstr("\"translation\""));
  for (const HeadRow& row : heads()) EXPECT_THAT(error.what(), HasSubstr(std::string(row.task)));
}

TEST(Heads, RefuseAnArchitectureThatOnlyEndsLikeAKnownOne) {
  const Error error = error_of(config_of("BertLMHeadModel"), {});
  EXPECT_EQ(error.kind(), ErrorKind::unsupported);
  EXPECT_THAT(error.what(), HasSubstr("\"BertLMHeadModel\""));
  EXPECT_THAT(error.what(), HasSubstr("BertForMaskedLM"));
}

TEST(Heads, RefuseToGuessWithoutAnArchitecture) {
  EXPECT_THAT(error_of(config_of(""), {}).what(), HasSubstr("names none"));
}

TEST(Heads, LeaveAnUnknownFamilyToTheCheckOfTheConfig) {
  EXPECT_EQ(choose_head(config_of("XLNetForTokenClassification", "xlnet"), {}), Head::token_classification);
}

TEST(Families, HaveEveryHeadAtMostOnceAndNameItsParts) {
  for (const Family& family : checkpoint::families()) {
    std::set<std::pair<Head, bool>> seen;
    for (const HeadLayout& layout : family.heads) {
      EXPECT_TRUE(seen.insert({layout.head, layout.legacy.value_or(true)}).second) << family.model_type;
      EXPECT_EQ(layout.output.empty(), layout.head == Head::none) << family.model_type;
    }
    EXPECT_EQ(std::count_if(seen.begin(), seen.end(), [](const auto& head) { return head.second; }), 5)
        << family.model_type << " has every head";
  }
}

TEST(Families, CountPositionsAndSegments) {
  EXPECT_EQ(max_tokens(config_of("BertModel")), 40);
  EXPECT_TRUE(takes_type_ids(config_of("BertModel")));
}

TEST(Families, RefuseATypeThatHasNoRow) {
  try {
    static_cast<void>(max_tokens(config_of("XLNetModel", "xlnet")));
    FAIL() << "a family was found";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unsupported);
    EXPECT_THAT(error.what(), testing::StartsWith("config.json: model_type is \"xlnet\", expected one of bert, "));
  }
}

}  // namespace
}  // namespace berth::encoder
