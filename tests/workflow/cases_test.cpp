// Inputs that broke other systems, on the whole road from checkpoint to answer. The numbers were computed with
// Transformers; the letters are those of the project's list of cases.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "base/file.h"
#include "base/progress.h"
#include "berth/error.h"
#include "berth/workflow.h"
#include "support/editable_checkpoint.h"
#include "support/models.h"
#include "support/paths.h"

namespace berth::workflow {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr double kTolerance = 2e-6;  // the values are written to six places

class Cases : public ::testing::Test {
 protected:
  // The raw logits of a case's checkpoint, or of a changed copy of tiny-cls, for a text.
  std::vector<double> logits_of(const fs::path& checkpoint, const std::string& text) {
    ExportOptions options;
    options.verify = false;
    options.tokenizer = test::data("cases/tiny-cls");
    const fs::path target = folder_.path() / ("bundle-" + std::to_string(++exported_));
    const fs::path bundle = export_checkpoint(checkpoint, target, options, no_progress()).folder;
    pipeline::Options raw;
    raw.function_to_apply = pipeline::Function::none;
    raw.top_k = std::nullopt;
    const pipeline::Pipeline pipeline(bundle::open(bundle, {}), {}, raw);
    const pipeline::Input input{text, std::nullopt, {}};
    std::vector<double> logits(2);
    const auto answers = pipeline.run({&input, 1});
    for (const pipeline::LabelScore& row : std::get<pipeline::Classification>(answers[0].result)) {
      const auto& labels = pipeline.bundle().labels;
      logits[static_cast<std::size_t>(std::find(labels.begin(), labels.end(), row.label) - labels.begin())] = row.score;
    }
    return logits;
  }

  fs::path tiny_with(const std::string& field, const json::Value& value) {
    test::EditableCheckpoint edited = test::read_editable(test::data("cases/tiny-cls"));
    edited.config[field] = value;
    const fs::path folder = folder_.path() / ("checkpoint-" + std::to_string(++exported_));
    test::write(edited, folder);
    return folder;
  }

  void expect_logits(const fs::path& checkpoint, const std::string& text, double first, double second) {
    const std::vector<double> logits = logits_of(checkpoint, text);
    EXPECT_NEAR(logits[0], first, kTolerance) << checkpoint;
    EXPECT_NEAR(logits[1], second, kTolerance) << checkpoint;
  }

  engine::Engine tiny_engine() {
    const fs::path bundle = test::export_tiny("tiny-cls", folder_.path());
    return engine::Engine(bundle / "model.onnx", {});
  }

  TemporaryFolder folder_;
  int exported_ = 0;
};

TEST_F(Cases, A11NothingToTokenize) {
  expect_logits(test::data("cases/tiny-cls"), "", 0.732694, -0.284295);
  expect_logits(test::data("cases/tiny-cls"), "   ", 0.732694, -0.284295);
}

TEST_F(Cases, D01OldNamesOfNormalizationWeights) {
  expect_logits(test::data("cases/ck-gamma-beta"), "hello world", 0.628805, -0.272642);
}

TEST_F(Cases, D02WeightsThatAreTooMany) {
  expect_logits(test::data("cases/ck-extra-keys"), "hello world", 0.628805, -0.272642);
}

TEST_F(Cases, D05HalfPrecisionWidensExactly) {
  expect_logits(test::data("cases/ck-bf16"), "hello world", 0.632179, -0.272042);
}

TEST_F(Cases, E02WhichGelu) {
  expect_logits(test::data("cases/tiny-cls"), "hello world", 0.628805, -0.272642);
  expect_logits(tiny_with("hidden_act", "gelu_new"), "hello world", 0.628761, -0.272622);
  expect_logits(tiny_with("hidden_act", "relu"), "hello world", 0.634007, -0.270180);
}

TEST_F(Cases, E05SegmentsThatNobodyGives) {
  const engine::Engine engine = tiny_engine();
  engine::Batch without;
  without.add(std::vector<std::int32_t>{2, 130, 131, 3});
  engine::Batch with;
  with.add(std::vector<std::int32_t>{2, 130, 131, 3}, std::vector<std::int32_t>{0, 0, 0, 0});
  EXPECT_EQ(engine.run(without)[0].values, engine.run(with)[0].values);
}

TEST_F(Cases, F01AnyBatchAnyLengthButNoneThatTheModelCannotTake) {
  const engine::Engine engine = tiny_engine();
  for (const auto& [batch, length] : {std::pair<std::int64_t, std::int64_t>{1, 1}, {1, 40}, {3, 7}, {8, 2}}) {
    const std::vector<std::int64_t> ids(static_cast<std::size_t>(batch * length), 7);
    const std::vector<std::int64_t> ones(ids.size(), 1);
    const std::vector<std::int64_t> zeros(ids.size(), 0);
    const Shape shape{batch, length};
    const std::vector<engine::DenseTensor> inputs{engine::dense("input_ids", shape, ids),
                                                  engine::dense("attention_mask", shape, ones),
                                                  engine::dense("token_type_ids", shape, zeros)};
    EXPECT_EQ(engine.run(inputs)[0].shape, (Shape{batch, 2}));
  }
  engine::Batch too_long;
  too_long.add(std::vector<std::int32_t>(41, 7));
  try {
    (void)engine.run(too_long);
    FAIL() << "41 tokens ran";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::limit);
    EXPECT_THAT(error.what(), AllOf(HasSubstr("41"), HasSubstr("40")));
  }
  engine::Batch unknown_id;
  unknown_id.add(std::vector<std::int32_t>{2, 156, 3});
  try {
    (void)engine.run(unknown_id);
    FAIL() << "an id without an embedding row ran";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid_input);
    EXPECT_THAT(error.what(), AllOf(HasSubstr("156")));
  }
}

TEST_F(Cases, F04AnAllPaddingRow) {
  const engine::Engine engine = tiny_engine();
  const Shape shape{1, 4};
  const std::vector<std::int64_t> zeros(4, 0);
  const std::vector<engine::DenseTensor> inputs{
      engine::dense("input_ids", shape, std::vector<std::int64_t>{2, 130, 131, 3}),
      engine::dense("attention_mask", shape, zeros), engine::dense("token_type_ids", shape, zeros)};
  const engine::DenseTensor logits = engine.run(inputs)[0];
  std::vector<float> values(2);
  std::memcpy(values.data(), logits.data.data(), logits.data.size());
  EXPECT_NEAR(values[0], 0.577249, kTolerance);
  EXPECT_NEAR(values[1], -0.207593, kTolerance);
}

}  // namespace
}  // namespace berth::workflow
