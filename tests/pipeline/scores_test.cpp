// Scores from logits: the formulas of case H-04, and their edges.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "berth/pipeline.h"

namespace berth::pipeline {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

std::vector<double> scores(Function function, std::vector<float> logits) { return to_scores(function, logits); }

TEST(Scores, SoftmaxOfTwoLogits) {
  EXPECT_THAT(scores(Function::softmax, {2, -1}), ElementsAre(DoubleNear(0.952574, 5e-7), DoubleNear(0.047426, 5e-7)));
}

TEST(Scores, SoftmaxOfHugeLogitsIsNotNaN) { EXPECT_THAT(scores(Function::softmax, {1000, 0}), ElementsAre(1.0, 0.0)); }

TEST(Scores, SigmoidOfEachLogit) {
  EXPECT_THAT(scores(Function::sigmoid, {2, -1}), ElementsAre(DoubleNear(0.880797, 5e-7), DoubleNear(0.268941, 5e-7)));
}

TEST(Scores, NoneLeavesTheLogit) { EXPECT_THAT(scores(Function::none, {2}), ElementsAre(2.0)); }

}  // namespace
}  // namespace berth::pipeline
