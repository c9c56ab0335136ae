// The reference on its own: masks, what it refuses, threads, and values known from Transformers for the tiny models of
// tests/data/cases.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "base/file.h"
#include "berth/encoder.h"
#include "berth/error.h"
#include "encoder/reference_runs.h"
#include "support/editable_checkpoint.h"
#include "support/golden.h"
#include "support/paths.h"

namespace berth::encoder {
namespace {

using checkpoint::Checkpoint;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<std::int64_t> kHelloWorld{2, 130, 131, 3};

std::vector<double> logits_of(const std::filesystem::path& folder, const ReferenceInput& input) {
  const Checkpoint checkpoint = Checkpoint::open(folder, {});
  return Reference(checkpoint, Head::sequence_classification, 1).run(input).outputs.at("logits").values;
}

std::vector<double> logits_with(const std::string& field, const json::Value& value) {
  const TemporaryFolder temporary;
  test::EditableCheckpoint changed = test::read_editable(test::data("cases/tiny-cls"));
  changed.config[field] = value;
  write(changed, temporary.path());
  return logits_of(temporary.path(), plain_input(kHelloWorld));
}

auto near(double first, double second) { return ElementsAre(DoubleNear(first, 2e-6), DoubleNear(second, 2e-6)); }

TEST(Reference, GivesTheValuesOfTransformers) {
  EXPECT_THAT(logits_of(test::data("cases/tiny-cls"), plain_input(kHelloWorld)), near(0.628805, -0.272642));
  EXPECT_THAT(logits_of(test::data("cases/tiny-cls"), plain_input({2, 3})), near(0.732694, -0.284295));
  EXPECT_THAT(logits_of(test::data("cases/ck-gamma-beta"), plain_input(kHelloWorld)), near(0.628805, -0.272642));
  EXPECT_THAT(logits_of(test::data("cases/ck-bf16"), plain_input(kHelloWorld)), near(0.632179, -0.272042));
}

TEST(Reference, TakesTheActivationFromTheConfig) {
  EXPECT_THAT(logits_with("hidden_act", "gelu_new"), near(0.628761, -0.272622));
  EXPECT_THAT(logits_with("hidden_act", "relu"), near(0.634007, -0.270180));
}

TEST(Reference, WeighsAllTokensAlikeWhenAllAreHidden) {
  ReferenceInput input = plain_input(kHelloWorld);
  input.mask.assign(input.ids.size(), 0);
  EXPECT_THAT(logits_of(test::data("cases/tiny-cls"), input), near(0.577249, -0.207593));
}

TEST(Reference, GivesHiddenTokensNoWeightAtAll) {
  ReferenceInput input = plain_input({2, 130, 131, 132, 3});
  input.mask = {1, 1, 0, 1, 0};
  ReferenceInput other = input;
  other.ids = {2, 130, 99, 132, 7};
  const auto folder = test::data("cases/tiny-cls");
  EXPECT_EQ(logits_of(folder, input), logits_of(folder, other));
}

TEST(Reference, GivesTheSameBitsWithAnyNumberOfThreads) {
  const Checkpoint checkpoint = Checkpoint::open(test::example_model("sentiment-small-zh"), {});
  ReferenceInput input = plain_input({});
  for (std::int64_t id = 0; id < 33; ++id) input.ids.push_back(100 + 7 * id);
  input.type_ids.assign(input.ids.size(), 0);
  input.mask.assign(input.ids.size(), 1);
  const auto run_with = [&](std::size_t threads) {
    return Reference(checkpoint, Head::sequence_classification, threads).run(input).outputs.at("logits").values;
  };
  const std::vector<double> alone = run_with(1);
  EXPECT_EQ(run_with(2), alone);
  EXPECT_EQ(run_with(5), alone);
  EXPECT_EQ(run_with(0), alone) << "at least one thread is used";
}

TEST(Reference, NamesWhatIsWrongWithAnInput) {
  const Checkpoint checkpoint = Checkpoint::open(test::data("cases/tiny-cls"), {});
  const Reference reference(checkpoint, Head::sequence_classification, 1);
  struct Row {
    std::function<void(ReferenceInput&)> spoil;
    ErrorKind kind;
    std::string message;
  };
  const std::vector<Row> rows{
      {[](auto& input) { input.ids[2] = 156; }, ErrorKind::invalid_input, "ids[2]: is 156, expected 0 to 155"},
      {[](auto& input) { input.ids[0] = -1; }, ErrorKind::invalid_input, "ids[0]: is -1, expected 0 to 155"},
      {[](auto& input) { input.type_ids[3] = 2; }, ErrorKind::invalid_input, "type_ids[3]: is 2, expected 0 to 1"},
      {[](auto& input) { input.mask[1] = 2; }, ErrorKind::invalid_input, "mask[1]: is 2, expected 0 to 1"},
      {[](auto& input) { input.mask.pop_back(); }, ErrorKind::invalid_input, "length of mask: is 3, expected 4"},
      {[](auto& input) { input.type_ids.push_back(0); }, ErrorKind::invalid_input, "length of type_ids: is 5"},
      {[](auto& input) { input = {}; }, ErrorKind::limit, "number of ids: is 0, expected 1 to 40"},
      {[](auto& input) { input = plain_input(std::vector<std::int64_t>(41, 5)); }, ErrorKind::limit,
       "number of ids: is 41, expected 1 to 40"},
  };
  for (const Row& row : rows) {
    ReferenceInput input = plain_input(kHelloWorld);
    row.spoil(input);
    try {
      static_cast<void>(reference.run(input));
      ADD_FAILURE() << "no error, expected: " << row.message;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), row.kind);
      EXPECT_THAT(error.what(), HasSubstr(row.message));
    }
  }
}

TEST(Reference, TakesAsManyTokensAsThereArePositions) {
  const std::vector<double> logits =
      logits_of(test::data("cases/tiny-cls"), plain_input(std::vector<std::int64_t>(40, 5)));
  EXPECT_EQ(logits.size(), 2U);
}

}  // namespace
}  // namespace berth::encoder
