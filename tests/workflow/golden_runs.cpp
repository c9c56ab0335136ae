// From a golden's checkpoint to an engine, and from its batch to tensors.
#include "workflow/golden_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "support/paths.h"

namespace berth::test {

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

engine::Engine load_exported(const Golden& golden, const checkpoint::Checkpoint& checkpoint,
                             const std::filesystem::path& file, encoder::BuildOptions options,
                             const graph::WriteOptions& write_options) {
  options.head = encoder::choose_head(checkpoint.config(), golden.task);
  const graph::Model model = encoder::build(checkpoint, options);
  EXPECT_THAT(graph::check(model, graph::runtime_limits()), ::testing::IsEmpty());
  graph::write(model, file, write_options);
  engine::Options engine_options;
  engine_options.ort_library = ort_library();
  return {file, engine_options};
}

}  // namespace berth::test
