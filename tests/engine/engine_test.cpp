// Both doors on real graphs.
#include <gmock/gmock.h>

#include <cmath>
#include <cstring>

#include "base/json.h"
#include "engine/engine_support.h"

namespace berth::engine {
namespace {

using test::batch_of;
using test::error_of;
using test::model;
using testing::ElementsAre;
using testing::FloatNear;
using testing::Pointwise;

using Floats = std::vector<float>;

const Output& output_named(const std::vector<Output>& outputs, const std::string& name) {
  for (const Output& output : outputs) {
    if (output.name == name) return output;
  }
  throw Error(ErrorKind::internal, name, "is not among the outputs");
}

Floats floats_of(const DenseTensor& tensor) {
  Floats values(tensor.data.size() / sizeof(float));
  std::memcpy(values.data(), tensor.data.data(), tensor.data.size());
  return values;
}

// The echo graphs return their inputs: tools/make_engine_models.py.
class Echo : public testing::TestWithParam<const char*> {};

TEST_P(Echo, GivesEachSequenceItsOwnRowsInTheOrderAsked) {
  const Engine engine(model(GetParam()), {});
  const Batch batch = batch_of({{5}, {10, 11, 12}, {20, 21}, {30, 31, 32, 33, 34}});
  const std::vector<Output> outputs = engine.run(batch);
  const Output& starts = output_named(outputs, "starts");
  const Output& sums = output_named(outputs, "sums");
  const Output& mean = output_named(outputs, "mean");
  const Output& tokens = output_named(outputs, "tokens");
  EXPECT_TRUE(starts.per_token);
  EXPECT_EQ(starts.values, (Floats{5, 10, 11, 12, 20, 21, 30, 31, 32, 33, 34}));
  EXPECT_FALSE(sums.per_token);
  EXPECT_EQ(sums.values, (Floats{5, 33, 41, 160}));
  EXPECT_EQ(mean.values, (Floats{1, 3, 2, 5}));
  EXPECT_TRUE(tokens.per_token);
  EXPECT_EQ(tokens.width, 2);
  EXPECT_EQ(tokens.of(1, batch.offsets)[2], 11);
  EXPECT_EQ(starts.of(2, batch.offsets)[1], 21);
  EXPECT_THAT(sums.of(3, batch.offsets), ElementsAre(160));
}

INSTANTIATE_TEST_SUITE_P(Engine, Echo,
                         testing::Values("echo.onnx", "echo_no_types.onnx", "echo_double.onnx",
                                         "echo_positions_i32.onnx", "echo_unnamed.onnx", "echo_fixed.onnx",
                                         "echo_fixed_length.onnx"));

TEST(Engine, FeedsTypeIdsAndPositionsWhereTheGraphHasThem) {
  Batch batch;
  batch.add(std::vector<std::int32_t>{7, 8, 9}, std::vector<std::int32_t>{0, 1, 1});
  const Engine types(model("echo.onnx"), {});
  EXPECT_EQ(output_named(types.run(batch), "tokens").values, (Floats{7, 0, 8, 1000, 9, 1000}));
  const Engine positions(model("echo_positions_i32.onnx"), {});
  EXPECT_EQ(output_named(positions.run(batch), "tokens").values, (Floats{7, 0, 8, 1, 9, 2}));
}

TEST(Engine, DescribesInputsAndOutputs) {
  const Engine engine(model("echo.onnx"), {});
  ASSERT_EQ(engine.inputs().size(), 3U);
  EXPECT_EQ(engine.inputs()[2].name, "token_type_ids");
  EXPECT_EQ(engine.inputs()[2].type, graph::ElementType::i64);
  EXPECT_EQ(engine.inputs()[2].shape, (std::vector<graph::Dimension>{"batch_size", "sequence_length"}));
  EXPECT_EQ(engine.outputs()[0].shape, (std::vector<graph::Dimension>{"batch_size", "sequence_length", 2}));
  EXPECT_EQ(engine.provider(), "cpu");
  EXPECT_EQ(engine.runtime_version(), "1.32.0");
}

TEST(Engine, CountsTokensPaddingAndRuns) {
  Options options;
  options.batch_tokens = 40;
  const Engine engine(model("echo.onnx"), options);
  RunStatistics statistics;
  static_cast<void>(engine.run(batch_of({{1, 2, 3}, {4}, {5, 6}}), {}, &statistics));
  EXPECT_EQ(statistics.tokens, 6U);
  EXPECT_EQ(statistics.padding, 3U);
  EXPECT_EQ(statistics.runs, 1U);
  Batch long_and_short = batch_of({{1, 2}});
  long_and_short.add(std::vector<std::int32_t>(50, 1));
  static_cast<void>(engine.run(long_and_short, {}, &statistics));
  EXPECT_EQ(statistics.tokens, 58U);
  EXPECT_EQ(statistics.padding, 3U);
  EXPECT_EQ(statistics.runs, 3U);
}

TEST(Engine, RunsOnlyWantedOutputsInTheirOrder) {
  const Engine engine(model("echo.onnx"), {});
  const std::vector<std::string> wanted{"mean", "sums"};
  const std::vector<Output> outputs = engine.run(batch_of({{4, 5}}), wanted);
  ASSERT_EQ(outputs.size(), 2U);
  EXPECT_EQ(outputs[0].name, "mean");
  EXPECT_EQ(outputs[1].values, Floats{9});
  const std::vector<std::string> square{"scores"};
  EXPECT_EQ(error_of([&] { static_cast<void>(engine.run(batch_of({{4}}), square)); }).kind(), ErrorKind::unsupported);
}

TEST(Engine, GivesEmptyOutputsForAnEmptyBatch) {
  const Engine engine(model("echo.onnx"), {});
  for (const Output& output : engine.run(Batch())) EXPECT_TRUE(output.values.empty());
}

TEST(Engine, RefusesASequenceLongerThanAFixedShape) {
  const Engine engine(model("echo_fixed.onnx"), {});
  const Error error = error_of([&] { static_cast<void>(engine.run(batch_of({{1, 2, 3, 4, 5, 6, 7, 8, 9}}))); });
  EXPECT_EQ(error.kind(), ErrorKind::limit);
  EXPECT_STREQ(error.what(), "batch: sequence 0 has 9 tokens, and the graph has the fixed length 8");
}

TEST(Engine, MovesAndWarmsUp) {
  Engine engine(model("tiny_bert.onnx"), {});
  engine.warm_up();
  Engine moved = std::move(engine);
  EXPECT_EQ(moved.run(batch_of({{2, 10, 3}})).size(), 1U);
  Engine(model("echo_fixed.onnx"), {}).warm_up();
  Engine(model("image.onnx"), {}).warm_up();
}

TEST(Engine, RunsOtherGraphsByTheSecondDoorOnly) {
  for (const char* const name : {"image.onnx", "extra_input.onnx", "no_mask.onnx"}) {
    const Engine engine(model(name), {});
    EXPECT_EQ(error_of([&] { static_cast<void>(engine.run(batch_of({{1}}))); }).kind(), ErrorKind::unsupported) << name;
  }
  const Engine engine(model("image.onnx"), {});
  const Floats pixels{1, 2, 3, 4, 10, 20, 30, 40, 0, 0, 0, 8};
  const std::vector<DenseTensor> inputs{dense("pixel_values", {1, 3, 2, 2}, pixels)};
  const std::vector<DenseTensor> outputs = engine.run(inputs);
  ASSERT_EQ(outputs.size(), 1U);
  EXPECT_EQ(outputs[0].shape, (Shape{1, 3, 1, 1}));
  EXPECT_EQ(floats_of(outputs[0]), (Floats{2.5, 25, 2}));
}

TEST(Engine, ReadsWeightsFromBesideTheModelEitherWay) {
  for (const Load load : {Load::copy, Load::map}) {
    Options options;
    options.load = load;
    const Engine engine(model("external.onnx"), options);
    EXPECT_EQ(engine.run(batch_of({{3, 15}}))[0].values, (Floats{3, 3.25, 3.5, 3.75, 15, 15.25, 15.5, 15.75}));
  }
}

// --- a BERT exported by torch.onnx, with PyTorch's answers ---

struct Golden {
  Batch batch;
  Floats logits;
};

json::Value golden_document() { return json::read_document(model("tiny_bert.json")); }

Golden read_golden() {
  Golden golden;
  for (const json::Value& one : golden_document()["cases"]) {
    golden.batch.add(one["ids"].get<std::vector<std::int32_t>>(), one["type_ids"].get<std::vector<std::int32_t>>());
    for (const json::Value& logit : one["logits"]) golden.logits.push_back(logit.get<float>());
  }
  return golden;
}

TEST(GoldenEngine, AnswersAsPyTorchAloneAndInAnyCompany) {
  const Golden golden = read_golden();
  for (const std::size_t tokens : {std::size_t{1}, std::size_t{50}, std::size_t{4096}}) {
    Options options;
    options.batch_tokens = tokens;
    const Engine engine(model("tiny_bert.onnx"), options);
    RunStatistics statistics;
    const std::vector<Output> outputs = engine.run(golden.batch, {}, &statistics);
    EXPECT_THAT(outputs[0].values, Pointwise(FloatNear(1e-5F), golden.logits)) << tokens;
    if (tokens == 1) {
      EXPECT_EQ(statistics.runs, golden.batch.size());
    }
  }
}

TEST(GoldenEngine, AnswersTheSameUnderAllOptions) {
  const Golden golden = read_golden();
  struct Case {
    const char* name;
    void (*change)(Options&);
  };
  const std::vector<Case> cases{
      {"throughput", [](Options& o) { o.schedule = Schedule::throughput; }},
      {"one thread", [](Options& o) { o.intra_op = 1; }},
      {"two threads", [](Options& o) { o.intra_op = 2; }},
      {"parallel",
       [](Options& o) {
         o.execution = Execution::parallel;
         o.intra_op = 1;
         o.inter_op = 2;
       }},
      {"not optimized", [](Options& o) { o.optimization = GraphOptimization::disable; }},
      {"basic", [](Options& o) { o.optimization = GraphOptimization::basic; }},
      {"extended", [](Options& o) { o.optimization = GraphOptimization::extended; }},
      {"mapped", [](Options& o) { o.load = Load::map; }},
      {"memory pattern", [](Options& o) { o.memory_pattern = true; }},
      {"no arena", [](Options& o) { o.arena = false; }},
      {"spinning",
       [](Options& o) {
         o.intra_op = 2;
         o.spin = true;
       }},
      {"pinned",
       [](Options& o) {
         o.intra_op = 2;
         o.affinity = "1";
       }},
      {"fallback",
       [](Options& o) {
         o.providers = {"cuda", "cpu"};
       }},
  };
  for (const Case& one : cases) {
    Options options;
    one.change(options);
    const Engine engine(model("tiny_bert.onnx"), options);
    EXPECT_EQ(engine.provider(), "cpu");
    for (int round = 0; round < 2; ++round) {
      EXPECT_THAT(engine.run(golden.batch)[0].values, Pointwise(FloatNear(1e-5F), golden.logits)) << one.name;
    }
  }
}

TEST(GoldenEngine, AnswersAsPyTorchUnderMasksWithHoles) {
  const json::Value masked = golden_document()["masked"];
  const auto flatten = [&](const char* field) {
    std::vector<std::int64_t> values;
    for (const json::Value& row : masked[field]) {
      for (const json::Value& value : row) values.push_back(value.get<std::int64_t>());
    }
    return values;
  };
  const std::vector<std::int64_t> ids = flatten("ids");
  const std::vector<std::int64_t> mask = flatten("mask");
  const std::vector<std::int64_t> types(ids.size(), 0);
  const Engine engine(model("tiny_bert.onnx"), {});
  const std::vector<DenseTensor> inputs{dense("attention_mask", {3, 6}, mask), dense("input_ids", {3, 6}, ids),
                                        dense("token_type_ids", {3, 6}, types)};
  const Floats found = floats_of(engine.run(inputs)[0]);
  Floats expected;
  for (const json::Value& row : masked["logits"]) {
    for (const json::Value& logit : row) expected.push_back(logit.get<float>());
  }
  EXPECT_THAT(found, Pointwise(FloatNear(1e-5F), expected));
  for (const float value : found) EXPECT_TRUE(std::isfinite(value));
}

}  // namespace
}  // namespace berth::engine
