// What a config is refused for: every reason at once, each with what was found and what was expected.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "berth/encoder.h"
#include "encoder/activations.h"
#include "support/paths.h"

namespace berth::encoder {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

checkpoint::EncoderConfig sound_config() { return checkpoint::read_config(test::data("cases/tiny-cls/config.json")); }

std::vector<std::string> problems_of(const checkpoint::EncoderConfig& config) {
  return config_problems(config, Head::sequence_classification);
}

TEST(ConfigProblems, AreNoneForASoundConfig) {
  EXPECT_THAT(problems_of(sound_config()), IsEmpty());
  EXPECT_THAT(config_problems(sound_config(), Head::none), IsEmpty());
}

TEST(ConfigProblems, NameTheFamiliesThatAreSupported) {
  checkpoint::EncoderConfig config = sound_config();
  config.model_type = "xlnet";
  EXPECT_THAT(problems_of(config), ElementsAre(testing::StartsWith("model_type is \"xlnet\", expected one of bert, ")));
}

TEST(ConfigProblems, NameTheKindsOfPositionsThatAreSupported) {
  checkpoint::EncoderConfig config = sound_config();
  config.position_embedding_type = "rotary";
  EXPECT_THAT(problems_of(config), ElementsAre("position_embedding_type is \"rotary\", expected absolute, relative_key "
                                               "or relative_key_query"));
}

TEST(ConfigProblems, NameTheActivationsThatAreSupported) {
  checkpoint::EncoderConfig config = sound_config();
  config.activation = "snake";
  const auto problems = problems_of(config);
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_THAT(problems[0], StartsWith("hidden_act is \"snake\", expected one of "));
  for (const ActivationRow& row : activations()) EXPECT_THAT(problems[0], HasSubstr(std::string(row.name)));
}

TEST(ConfigProblems, RefuseHeadsThatDoNotDivideTheWidth) {
  checkpoint::EncoderConfig config = sound_config();
  config.heads = 3;
  EXPECT_THAT(problems_of(config), ElementsAre("num_attention_heads is 3, expected a divisor of hidden_size 8"));
}

TEST(ConfigProblems, RefuseAnEpsilonThatIsNotAboveZero) {
  checkpoint::EncoderConfig config = sound_config();
  for (const double epsilon :
       {0.0, -1e-12, 1e-60, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    config.layer_norm_eps = epsilon;
    EXPECT_THAT(problems_of(config), ElementsAre(StartsWith("layer_norm_eps is "))) << epsilon;
  }
}

TEST(ConfigProblems, RefuseAClassifierWithoutLabels) {
  checkpoint::EncoderConfig config = sound_config();
  config.labels.clear();
  EXPECT_THAT(problems_of(config), ElementsAre("id2label is empty, expected 1 label or more"));
  EXPECT_THAT(config_problems(config, Head::none), IsEmpty());
}

TEST(ConfigProblems, RefuseAnotherHeadThanTheOneThatWasTrained) {
  EXPECT_THAT(config_problems(sound_config(), Head::token_classification),
              ElementsAre(AllOf(HasSubstr("\"BertForSequenceClassification\""),
                                HasSubstr("\"BertForTokenClassification\""), HasSubstr("token-classification"))));
  checkpoint::EncoderConfig bare = sound_config();
  bare.architecture = "BertModel";
  EXPECT_THAT(config_problems(bare, Head::token_classification), IsEmpty()) << "the tensors decide";
}

TEST(ConfigProblems, ComeAllAtOnce) {
  checkpoint::EncoderConfig config = sound_config();
  config.vocab_size = 0;
  config.max_positions = 0;
  config.type_vocab_size = 0;
  config.activation = "snake";
  config.layer_norm_eps = 0;
  EXPECT_THAT(problems_of(config),
              ElementsAre("vocab_size is 0, expected 1 or more", "max_position_embeddings is 0, expected 1 or more",
                          "type_vocab_size is 0, expected 1 or more", StartsWith("layer_norm_eps is 0"),
                          StartsWith("hidden_act is")));
}

TEST(ConfigProblems, CutAndEscapeWhatAStrangerWrote) {
  checkpoint::EncoderConfig config = sound_config();
  config.activation = "\x1B[31m" + std::string(100'000, 'x');
  const auto problems = problems_of(config);
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_LT(problems[0].size(), 500U);
  EXPECT_EQ(problems[0].find('\x1B'), std::string::npos);
}

}  // namespace
}  // namespace berth::encoder
