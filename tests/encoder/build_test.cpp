// The structure of exported graphs. That their numbers are right is for the goldens to show, through ONNX Runtime.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/log.h"
#include "berth/encoder.h"
#include "berth/error.h"
#include "encoder/graph_facts.h"
#include "support/editable_checkpoint.h"
#include "support/golden.h"
#include "support/paths.h"

namespace berth::encoder {
namespace {

using checkpoint::Checkpoint;
using test::count_of;
using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Checkpoint open_golden(const std::string& name) { return Checkpoint::open(test::data("goldens/" + name), {}); }
Checkpoint tiny() { return Checkpoint::open(test::data("cases/tiny-cls"), {}); }

BuildOptions options_for(Head head) {
  BuildOptions options;
  options.head = head;
  return options;
}

std::string usage_error_of(const BuildOptions& options) {
  const Checkpoint checkpoint = tiny();
  try {
    static_cast<void>(build(checkpoint, options));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  ADD_FAILURE() << "a graph was built";
  return {};
}

struct HeadCase {
  const char* golden;
  Head head;
  std::vector<std::string> outputs;
  std::vector<std::string> shapes;
};

class BuildHead : public testing::TestWithParam<HeadCase> {};

TEST_P(BuildHead, HasTheInputsAndOutputsOfOptimumAndNothingDead) {
  const HeadCase& expected = GetParam();
  const Checkpoint checkpoint = open_golden(expected.golden);
  const graph::Model model = build(checkpoint, options_for(expected.head));
  EXPECT_THAT(test::names_of(model.graph.inputs), ElementsAre("input_ids", "attention_mask", "token_type_ids"));
  for (const graph::Value& input : model.graph.inputs) {
    EXPECT_EQ(test::dimensions_of(input), "batch_size, sequence_length");
    EXPECT_EQ(input.type, graph::ElementType::i64);
  }
  EXPECT_EQ(test::names_of(model.graph.outputs), expected.outputs);
  std::vector<std::string> shapes;
  for (const graph::Value& output : model.graph.outputs) shapes.push_back(test::dimensions_of(output));
  EXPECT_EQ(shapes, expected.shapes);
  EXPECT_THAT(test::dead_values(model.graph), IsEmpty());
}

TEST_P(BuildHead, IsSoundForEveryOpset) {
  const Checkpoint checkpoint = open_golden(GetParam().golden);
  for (std::int64_t opset = 11; opset <= 23; ++opset) {
    BuildOptions options = options_for(GetParam().head);
    options.opset = opset;
    graph::Model model = build(checkpoint, options);
    EXPECT_EQ(model.opset(), opset);
    EXPECT_EQ(model.ir_version, graph::lowest_ir_version(opset));
    EXPECT_THAT(graph::check(model, graph::runtime_limits()), IsEmpty()) << opset;
    EXPECT_NO_THROW(graph::infer_shapes(model)) << opset;
    EXPECT_EQ(count_of(model.graph, "LayerNormalization") == 0, opset < 17) << opset;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Heads, BuildHead,
    testing::Values(
        HeadCase{"encoder-with-pooler",
                 Head::none,
                 {"last_hidden_state", "pooler_output"},
                 {"batch_size, sequence_length, 8", "batch_size, 8"}},
        HeadCase{"encoder-without-pooler", Head::none, {"last_hidden_state"}, {"batch_size, sequence_length, 8"}},
        HeadCase{"classification-3-labels", Head::sequence_classification, {"logits"}, {"batch_size, 3"}},
        HeadCase{"token-classification", Head::token_classification, {"logits"}, {"batch_size, sequence_length, 5"}},
        HeadCase{"question-answering",
                 Head::question_answering,
                 {"start_logits", "end_logits"},
                 {"batch_size, sequence_length", "batch_size, sequence_length"}},
        HeadCase{"masked-lm-tied", Head::masked_lm, {"logits"}, {"batch_size, sequence_length, 100"}}),
    [](const auto& instance) { return test::test_name_of(instance.param.golden); });

TEST(Build, SpendsNoNodesOnShapes) {
  const Checkpoint checkpoint = tiny();
  const graph::Graph graph = build(checkpoint, options_for(Head::sequence_classification)).graph;
  EXPECT_EQ(count_of(graph, "Shape"), 1U);
  EXPECT_EQ(count_of(graph, "Unsqueeze"), 1U) << "one mask for all layers";
  EXPECT_EQ(count_of(graph, "Dropout") + count_of(graph, "Constant") + count_of(graph, "Concat"), 0U);
  EXPECT_EQ(graph.nodes.size(), 85U);
}

TEST(Build, GivesNodesAndValuesNamesThatPeopleRead) {
  const Checkpoint checkpoint = tiny();
  const graph::Graph graph = build(checkpoint, options_for(Head::sequence_classification)).graph;
  std::map<std::string, std::string> value_of;  // by the name of the node that makes it
  for (const graph::Node& node : graph.nodes) {
    EXPECT_TRUE(value_of.emplace(node.name, node.outputs.at(0)).second) << node.name << " stands twice";
  }
  EXPECT_EQ(value_of.at("/encoder/layer.0/attention/self/query/MatMul"),
            "/encoder/layer.0/attention/self/query/MatMul_output_0");
  EXPECT_EQ(value_of.at("/embeddings/LayerNorm/LayerNormalization"), "hidden_states.0");
  EXPECT_EQ(value_of.at("/encoder/layer.0/output/LayerNorm/LayerNormalization"), "hidden_states.1");
  EXPECT_EQ(value_of.at("/encoder/layer.1/output/LayerNorm/LayerNormalization"), "hidden_states.2");
}

TEST(Build, HoldsViewsOnTheWeights) {
  const Checkpoint checkpoint = tiny();
  const graph::Graph graph = build(checkpoint, options_for(Head::sequence_classification)).graph;
  for (const graph::Tensor& tensor : graph.initializers) {
    const TensorView* const stored = checkpoint.find(tensor.name);
    if (stored == nullptr) {
      EXPECT_LE(tensor.source.data.size(), 64U) << tensor.name;
      continue;
    }
    EXPECT_EQ(tensor.source.data.data(), stored->data.data()) << tensor.name;
    EXPECT_EQ(tensor.type, graph::ElementType::f32) << tensor.name;
  }
  EXPECT_TRUE(test::find_initializer(graph, "classifier.weight")->transposed);
  EXPECT_EQ(test::find_initializer(graph, "classifier.weight")->shape, (Shape{8, 2}));
  EXPECT_FALSE(test::find_initializer(graph, "embeddings.word_embeddings.weight")->transposed);
}

TEST(Build, MakesTheSameBytesTwice) {
  const TemporaryFolder folder;
  const Checkpoint checkpoint = tiny();
  const BuildOptions options = options_for(Head::sequence_classification);
  const auto first = graph::write(build(checkpoint, options), folder.path() / "first.onnx", {});
  const auto second = graph::write(build(checkpoint, options), folder.path() / "second.onnx", {});
  EXPECT_EQ(first.at(0).sha256, second.at(0).sha256);
}

TEST(Build, SaysWhereTheModelComesFromButNotWhereItLay) {
  const Checkpoint checkpoint = tiny();
  const graph::Model model = build(checkpoint, options_for(Head::sequence_classification));
  EXPECT_EQ(model.producer_name, "berth");
  EXPECT_FALSE(model.producer_version.empty());
  EXPECT_THAT(model.metadata, ElementsAre(std::pair("model_type", "bert"), std::pair("task", "text-classification"),
                                          std::pair("source_architecture", "BertForSequenceClassification"),
                                          std::pair("max_tokens", "40"), std::pair("vocab_size", "156")));
}

TEST(Build, TakesEpsilonFromTheConfig) {
  test::EditableCheckpoint edited = test::read_editable(test::data("cases/tiny-cls"));
  edited.config["layer_norm_eps"] = 1e-5;
  const TemporaryFolder folder;
  test::write(edited, folder.path());
  const Checkpoint checkpoint = Checkpoint::open(folder.path(), {});
  BuildOptions options = options_for(Head::sequence_classification);
  for (const graph::Node& node : build(checkpoint, options).graph.nodes) {
    if (node.op != "LayerNormalization") continue;
    EXPECT_EQ(node.attributes.at(1).first, "epsilon");
    EXPECT_EQ(std::get<float>(node.attributes.at(1).second), 1e-5F);
  }
  options.opset = 14;
  float epsilon = 0;
  const graph::Graph spelled_out = build(checkpoint, options).graph;
  widen(test::find_initializer(spelled_out, "layer_norm_eps")->source, 0, 1, &epsilon);
  EXPECT_EQ(epsilon, 1e-5F);
}

TEST(Build, FixesTheShapeOnDemand) {
  const Checkpoint checkpoint = tiny();
  BuildOptions options = options_for(Head::sequence_classification);
  options.fixed_shape = {2, 9};
  const graph::Model model = build(checkpoint, options);
  EXPECT_EQ(test::dimensions_of(model.graph.inputs.at(1)), "2, 9");
  EXPECT_EQ(test::dimensions_of(model.graph.outputs.at(0)), "2, 2");
  EXPECT_EQ(count_of(model.graph, "Shape") + count_of(model.graph, "Slice"), 0U);
  EXPECT_EQ(test::find_initializer(model.graph, "embeddings.position_embeddings.weight")->shape, (Shape{9, 8}));
  EXPECT_THAT(graph::check(model, graph::runtime_limits()), IsEmpty());
}

TEST(Build, KeepsOnlyWhatTheOutputsThatWereAskedForNeed) {
  const Checkpoint checkpoint = tiny();
  BuildOptions options = options_for(Head::sequence_classification);
  options.outputs = {"hidden_states.1", "hidden_states.0"};
  const graph::Model model = build(checkpoint, options);
  EXPECT_THAT(test::names_of(model.graph.outputs), ElementsAre("hidden_states.1", "hidden_states.0"));
  EXPECT_EQ(count_of(model.graph, "Softmax"), 1U);
  EXPECT_EQ(test::find_initializer(model.graph, "pooler.dense.weight"), nullptr);
  EXPECT_THAT(test::dead_values(model.graph), IsEmpty());
  EXPECT_THAT(graph::check(model, graph::runtime_limits()), IsEmpty());
}

TEST(Build, GivesAllHiddenStatesBesideTheOutputs) {
  const Checkpoint checkpoint = open_golden("encoder-with-pooler");
  BuildOptions options = options_for(Head::none);
  options.outputs = {"last_hidden_state", "hidden_states.0", "hidden_states.1", "hidden_states.2"};
  EXPECT_THAT(graph::check(build(checkpoint, options), graph::runtime_limits()), IsEmpty());
}

TEST(Build, RefusesOptionsThatMakeNoSense) {
  BuildOptions options = options_for(Head::sequence_classification);
  options.opset = 10;
  EXPECT_THAT(usage_error_of(options), HasSubstr("opset: is 10, expected 11 to 23"));
  options.opset = 24;
  EXPECT_THAT(usage_error_of(options), HasSubstr("opset: is 24"));
  options.opset = 17;
  for (const auto& [shape, text] : std::map<std::pair<std::int64_t, std::int64_t>, std::string>{
           {{1, 41}, "1x41"}, {{0, 8}, "0x8"}, {{1, 0}, "1x0"}}) {
    options.fixed_shape = shape;
    EXPECT_THAT(usage_error_of(options), AllOf(HasSubstr("is " + text), HasSubstr("1 to 40")));
  }
}

TEST(Build, RefusesOutputsThatAreNotThere) {
  BuildOptions options = options_for(Head::sequence_classification);
  options.outputs = {"pooler_output"};
  EXPECT_THAT(usage_error_of(options),
              HasSubstr("names \"pooler_output\", expected logits, hidden_states.0 to hidden_states.2"));
  options.outputs = {"hidden_states.3"};
  EXPECT_THAT(usage_error_of(options), HasSubstr("\"hidden_states.3\""));
  options.outputs = {"logits", "logits"};
  EXPECT_THAT(usage_error_of(options), HasSubstr("\"logits\" twice"));
}

TEST(Build, LogsOnceWhatItLeavesOut) {
  std::vector<std::string> lines;
  set_log_sink([&](Severity, std::string_view line) { lines.emplace_back(line); });
  static_cast<void>(
      build(Checkpoint::open(test::data("cases/ck-extra-keys"), {}), options_for(Head::sequence_classification)));
  static_cast<void>(build(open_golden("encoder-without-pooler"), options_for(Head::none)));
  set_log_sink({});
  EXPECT_THAT(lines, ElementsAre("ignored: cls.seq_relationship.weight, bert.embeddings.position_ids",
                                 "the checkpoint has no pooler.dense.weight: the model goes without pooler_output"));
}

}  // namespace
}  // namespace berth::encoder
