// The reference against PyTorch, on every golden: every output, batch, mask and hidden state; in float32 to the
// goldens' tolerance, in float64 to rounding, but where PyTorch takes a constant in float32.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "encoder/reference_runs.h"
#include "support/golden.h"

namespace berth::encoder {
namespace {

using checkpoint::Checkpoint;
using test::Golden;
using test::GoldenCase;
using test::GoldenTensor;
using test::largest_difference;

class GoldenReference : public testing::TestWithParam<std::string> {
 protected:
  Golden golden_ = test::read_golden(GetParam());
  Checkpoint checkpoint_ = Checkpoint::open(golden_.folder, {});
  Reference reference_{checkpoint_, head_of(golden_, checkpoint_), 1};
};

void expect_near(const ReferenceTensor& found, const GoldenTensor& expected, std::int64_t row, double tolerance) {
  EXPECT_EQ(found.shape, expected.row_shape());
  EXPECT_LE(largest_difference(found.values, expected.row(row)), tolerance);
}

void expect_outputs(const ReferenceResult& result, const std::map<std::string, GoldenTensor>& expected,
                    std::int64_t row, double tolerance) {
  EXPECT_EQ(result.outputs.size(), expected.size());
  for (const auto& [name, tensor] : expected) {
    SCOPED_TRACE(name);
    ASSERT_TRUE(result.outputs.contains(name));
    expect_near(result.outputs.at(name), tensor, row, tolerance);
  }
}

TEST_P(GoldenReference, GivesTheOutputsOfPyTorch) {
  for (const GoldenCase& one : golden_.cases) {
    for (std::int64_t row = 0; row < one.batch; ++row) {
      SCOPED_TRACE(one.name + ", row " + std::to_string(row));
      expect_outputs(reference_.run(input_of(one, row)), one.outputs, row, golden_.tolerance);
    }
  }
}

TEST_P(GoldenReference, GivesTheOutputsOfPyTorchInDoublePrecision) {
  std::size_t compared = 0;
  for (const GoldenCase& one : golden_.cases) {
    if (one.double_outputs.empty()) continue;
    for (std::int64_t row = 0; row < one.batch; ++row, ++compared) {
      SCOPED_TRACE(one.name + ", row " + std::to_string(row));
      expect_outputs(reference_.run(input_of(one, row)), one.double_outputs, row, golden_.double_tolerance);
    }
  }
  EXPECT_GT(compared, 0U);
}

TEST_P(GoldenReference, GivesTheHiddenStatesOfPyTorch) {
  std::size_t compared = 0;
  for (const GoldenCase& one : golden_.cases) {
    if (one.hidden_states.empty()) continue;
    for (std::int64_t row = 0; row < one.batch; ++row) {
      const ReferenceResult result = reference_.run(input_of(one, row));
      ASSERT_EQ(result.hidden_states.size(), one.hidden_states.size());
      for (std::size_t i = 0; i < result.hidden_states.size(); ++i, ++compared) {
        SCOPED_TRACE(one.name + ", hidden_states." + std::to_string(i));
        expect_near(result.hidden_states[i], one.hidden_states[i], row, golden_.tolerance);
      }
    }
  }
  EXPECT_GT(compared, 0U);
}

// The goldens of a family; the first BERTs' names do not begin with theirs.
TEST_P(GoldenReference, IsAskedForEverySortOfMask) {
  if (!golden_.name.starts_with(checkpoint_.config().model_type + "-")) return;
  std::vector<std::string> names;
  std::int64_t longest = 0;
  for (const GoldenCase& one : golden_.cases) {
    names.push_back(one.name);
    longest = std::max(longest, one.sequence);
  }
  EXPECT_THAT(names, testing::IsSupersetOf({"one token", "longest", "padded batch", "left padding", "holes"}));
  EXPECT_EQ(longest, max_tokens(checkpoint_.config()));
  // The mean of no token is NaN in Transformers.
  const bool is_mean = checkpoint_.config().classifier_pooling == "mean";
  EXPECT_NE(std::find(names.begin(), names.end(), "all hidden") != names.end(), is_mean);
}

INSTANTIATE_TEST_SUITE_P(Golden, GoldenReference, testing::ValuesIn(test::golden_names()),
                         [](const auto& parameter) { return test::test_name_of(parameter.param); });

}  // namespace
}  // namespace berth::encoder
