// The reference on trained models: the first rows of the examples' expected.jsonl, which Transformers made in float32.
#include <gtest/gtest.h>

#include <fstream>

#include "base/json.h"
#include "encoder/reference_runs.h"
#include "support/golden.h"
#include "support/paths.h"

namespace berth::encoder {
namespace {

using checkpoint::Checkpoint;

constexpr double kTolerance = 1e-4;   // what an export must keep to
constexpr std::size_t kTokens = 600;  // that are run at most for each model, to stay quick under sanitizers

class GoldenExamples : public testing::TestWithParam<std::string> {};

TEST_P(GoldenExamples, GiveTheLogitsOfTransformers) {
  const Checkpoint checkpoint = Checkpoint::open(test::example_model(GetParam()), {});
  const Reference reference(checkpoint, Head::sequence_classification, 2);
  std::ifstream file(test::example_model(GetParam()) / "expected.jsonl");
  std::size_t tokens = 0;
  std::size_t rows = 0;
  for (std::string line; std::getline(file, line);) {
    const json::Value expected = json::parse(line, "expected.jsonl");
    const auto ids = expected.at("input_ids").get<std::vector<std::int64_t>>();
    if (tokens + ids.size() > kTokens) continue;
    const auto logits = reference.run(plain_input(ids)).outputs.at("logits").values;
    EXPECT_LE(test::largest_difference(logits, expected.at("logits").get<std::vector<double>>()), kTolerance) << line;
    tokens += ids.size();
    ++rows;
  }
  EXPECT_GE(rows, 10U);
}

INSTANTIATE_TEST_SUITE_P(Golden, GoldenExamples, testing::Values("sentiment-small-en", "sentiment-small-zh"),
                         [](const auto& parameter) { return test::test_name_of(parameter.param); });

}  // namespace
}  // namespace berth::encoder
