// The road that users take (checkpoint, graph, ONNX Runtime) against PyTorch, on every golden: every output and hidden
// state, with padding on either side, holes in the mask, and masks that hide everything.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "base/file.h"
#include "berth/encoder.h"
#include "berth/engine.h"
#include "berth/graph.h"
#include "support/golden.h"
#include "support/paths.h"

namespace berth {
namespace {

using test::Golden;
using test::GoldenCase;
using test::GoldenTensor;
using test::largest_difference;

std::vector<double> values_of(const engine::DenseTensor& tensor) {
  std::vector<float> values(tensor.data.size() / sizeof(float));
  std::memcpy(values.data(), tensor.data.data(), tensor.data.size());
  return {values.begin(), values.end()};
}

std::vector<engine::DenseTensor> inputs_of(const GoldenCase& one, const engine::Engine& engine) {
  const Shape shape{one.batch, one.sequence};
  std::vector<engine::DenseTensor> inputs;
  for (const graph::Value& input : engine.inputs()) {
    inputs.push_back(engine::dense(input.name, shape,
                                   input.name == "input_ids"        ? one.input_ids
                                   : input.name == "attention_mask" ? one.attention_mask
                                                                    : one.token_type_ids));
  }
  return inputs;
}

class GoldenExport : public ::testing::TestWithParam<std::string> {
 protected:
  engine::Engine load(encoder::BuildOptions options, const graph::WriteOptions& write_options = {}) {
    options.head = encoder::choose_head(checkpoint_.config(), golden_.task);
    const graph::Model model = encoder::build(checkpoint_, options);
    EXPECT_THAT(graph::check(model, graph::runtime_limits()), ::testing::IsEmpty());
    const auto file = folder_.path() / ("model-" + std::to_string(++written_) + ".onnx");
    graph::write(model, file, write_options);
    engine::Options engine_options;
    engine_options.ort_library = test::ort_library();
    return engine::Engine(file, engine_options);
  }

  void expect_outputs(const engine::Engine& engine) {
    for (const GoldenCase& one : golden_.cases) {
      for (const engine::DenseTensor& found : engine.run(inputs_of(one, engine))) {
        SCOPED_TRACE(one.name + ": " + found.name);
        ASSERT_TRUE(one.outputs.contains(found.name));
        EXPECT_EQ(found.shape, one.outputs.at(found.name).shape);
        EXPECT_LE(largest_difference(values_of(found), one.outputs.at(found.name).values), golden_.tolerance);
      }
    }
  }

  Golden golden_ = test::read_golden(GetParam());
  checkpoint::Checkpoint checkpoint_ = checkpoint::Checkpoint::open(golden_.folder, {});
  TemporaryFolder folder_;
  int written_ = 0;
};

TEST_P(GoldenExport, GivesTheOutputsOfPyTorch) { expect_outputs(load({})); }

// LayerNormalization is an operator from 17 on; Reduce operators take their axes as input from 18 on.
TEST_P(GoldenExport, GivesThemAtEveryOpset) {
  for (std::int64_t opset = 11; opset <= 23; ++opset) {
    SCOPED_TRACE(opset);
    encoder::BuildOptions options;
    options.opset = opset;
    expect_outputs(load(options));
  }
}

TEST_P(GoldenExport, GivesThemWithExternalData) { expect_outputs(load({}, {.external_data = true})); }

TEST_P(GoldenExport, GivesTheHiddenStatesOfPyTorch) {
  encoder::BuildOptions options;
  for (std::int64_t layer = 0; layer <= checkpoint_.config().layers; ++layer) {
    options.outputs.push_back("hidden_states." + std::to_string(layer));
  }
  const engine::Engine engine = load(options);
  std::size_t compared = 0;
  for (const GoldenCase& one : golden_.cases) {
    if (one.hidden_states.empty()) continue;
    const std::vector<engine::DenseTensor> found = engine.run(inputs_of(one, engine));
    ASSERT_EQ(found.size(), one.hidden_states.size());
    for (std::size_t layer = 0; layer < found.size(); ++layer, ++compared) {
      EXPECT_LE(largest_difference(values_of(found[layer]), one.hidden_states[layer].values), golden_.tolerance)
          << one.name << ", layer " << layer;
    }
  }
  EXPECT_GT(compared, 0U);
}

// A text alone, in a batch of texts of other lengths, and in that batch turned round.
TEST_P(GoldenExport, DoesNotDependOnTheCompanyOfAText) {
  constexpr double kBatchTolerance = 1e-5;
  const engine::Engine engine = load({});
  const std::vector<std::vector<std::int32_t>> texts{
      {2, 7, 9, 3}, {2, 3}, {2, 5, 6, 7, 8, 9, 10, 11, 12, 3}, {2, 4, 3}};
  engine::Batch forward;
  engine::Batch backward;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    forward.add(texts[i]);
    backward.add(texts[texts.size() - 1 - i]);
  }
  const auto together = engine.run(forward);
  const auto turned = engine.run(backward);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    engine::Batch single;
    single.add(texts[i]);
    const auto alone = engine.run(single);
    for (std::size_t o = 0; o < alone.size(); ++o) {
      const std::vector<double> expected(alone[o].values.begin(), alone[o].values.end());
      for (const auto row :
           {together[o].of(i, forward.offsets), turned[o].of(texts.size() - 1 - i, backward.offsets)}) {
        EXPECT_LE(largest_difference(std::vector<double>(row.begin(), row.end()), expected), kBatchTolerance);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Golden, GoldenExport, ::testing::ValuesIn(test::golden_names()),
                         [](const auto& golden) { return test::test_name_of(golden.param); });

}  // namespace
}  // namespace berth
