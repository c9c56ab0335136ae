// Sound models have no problems; each fault gives the sentence that names it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "berth/error.h"
#include "berth/graph.h"
#include "graph/models.h"
#include "support/paths.h"

namespace berth::graph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

std::vector<std::string> problems_of(const onnx::ModelProto& proto) {
  const TemporaryFolder folder;
  test::save(proto, folder.path() / "m.onnx");
  return check_file(folder.path() / "m.onnx", runtime_limits());
}

std::vector<std::string> problems_of_body(const std::string& inputs, const std::string& outputs,
                                          const std::string& body) {
  return problems_of(test::parse_text(R"(<ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1]> main ()" +
                                      inputs + ") => (" + outputs + ") {" + body + "}"));
}

std::vector<std::string> problems_of_case(const std::string& name) {
  return check_file(test::data("cases/onnx/" + name), runtime_limits());
}

TEST(Check, FindsNothingInSoundModels) {
  EXPECT_THAT(problems_of(test::parse_text(test::kSoundText)), IsEmpty());
  EXPECT_THAT(check(test::linear_model(), runtime_limits()), IsEmpty());
  EXPECT_THAT(problems_of_body("float[n, 4] x", "float[n, 4] y", "y = com.microsoft.Gelu(x)"), IsEmpty());
}

TEST(Check, ComparesVersionsWithTheRuntime) {
  EXPECT_THAT(problems_of_case("ir99.onnx"),
              ElementsAre("the model has IR version 99; ONNX Runtime 1.32.0 loads versions up to 14"));
  EXPECT_THAT(problems_of_case("opset99.onnx"),
              ElementsAre("the model uses opset 99 of ai.onnx; ONNX Runtime 1.32.0 loads opsets up to 28"));
}

TEST(Check, FindsFaultsOfExternalData) {
  EXPECT_THAT(problems_of_case("ext_traversal.onnx"),
              ElementsAre(HasSubstr("'../secret.bin' leaves the model's folder")));
  EXPECT_THAT(problems_of_case("ext_missing.onnx"), ElementsAre(HasSubstr("'weights.bin' is not there")));
  EXPECT_THAT(problems_of_case("ext_short.onnx"), ElementsAre(HasSubstr("needs 16 bytes in 'w8.bin', which has 8")));
}

TEST(Check, NamesForeignDomains) {
  EXPECT_THAT(
      problems_of(test::parse_text(R"(<ir_version: 8, opset_import: ["" : 17, "ai.onnx.contrib" : 1]>
                  main (float[2] x) => (float[2] y) { y = ai.onnx.contrib.Tokenize(x) })")),
      ElementsAre(HasSubstr("the domain 'ai.onnx.contrib' ('Tokenize'), which ONNX Runtime 1.32.0 does not have")));
  EXPECT_THAT(
      problems_of_body("float[2] x", "float[2] y", "y = ai.onnx.ml.Normalizer(x)"),
      ElementsAre("the model uses operators of the domain 'ai.onnx.ml' ('Normalizer'), and imports no opset of it"));
}

TEST(Check, FindsFaultyNames) {
  EXPECT_THAT(problems_of_body("float[2] x", "float[2] y", "[late] y = Add(x, a) [early] a = Relu(nowhere)"),
              ElementsAre("node 'late' (Add) reads 'a', which is computed only later, by node 'early' (Relu)",
                          "node 'early' (Relu) reads 'nowhere', which is no input, initializer or output of a node"));
  EXPECT_THAT(problems_of_body("float[2] x", "float[2] y", "y = Relu(x) y = Neg(x)"),
              ElementsAre("value 'y' is defined twice, the second time by node of 'y' (Neg)"));
  EXPECT_THAT(problems_of_body("float[2] x", "float[2] y, float[2] z", "y = Relu(x)"),
              ElementsAre("output 'z' is computed by no node"));
}

TEST(Check, LooksIntoBranches) {
  EXPECT_THAT(problems_of_body("bool c, float[2] x", "float[2] y",
                               "[if] y = If(c) <then_branch = t () => (float[2] a) { a = Relu(x) },"
                               "else_branch = e () => (float[2] b) { [inner] b = Relu(x, x) }>"),
              ElementsAre(HasSubstr("node 'inner' (Relu): Node with schema(::Relu:14) has input size 2")));
  EXPECT_THAT(problems_of_body("bool c, float[2] x", "float[2] y",
                               "[if] y = If(c) <then_branch = t () => (float[2] a) { a = Relu(x) },"
                               "else_branch = e () => (float[2] b) { [inner] b = Relu(missing) }>"),
              ElementsAre("node 'inner' (Relu) reads 'missing', which is no input, initializer or output of a node"));
}

TEST(Check, FindsEveryFaultyNode) {
  EXPECT_THAT(problems_of_body("float[2] x", "float[2] y",
                               "[a] p = Nope(x) [b] q = Relu<foo = 1>(x) [c] r = Cast(x) y = Relu(x)"),
              ElementsAre("node 'a' (Nope): No Op registered for Nope with domain_version of 17",
                          "node 'b' (Relu): Unrecognized attribute: foo for operator Relu",
                          "node 'c' (Cast): Required attribute 'to' is missing."));
}

TEST(Check, InfersShapesAndTypes) {
  EXPECT_THAT(problems_of_body("float[n, 4] x, float[5, 6] w", "float[n, 6] y", "[product] y = MatMul(x, w)"),
              ElementsAre("node 'product' (MatMul): Incompatible dimensions for matrix multiplication"));
  EXPECT_THAT(problems_of_body("float[n, 4] x", "float[n, 5] y", "y = Relu(x)"),
              ElementsAre("node of 'y' (Relu): Inferred shape and existing shape differ in dimension 1: (4) vs (5)"));
  EXPECT_THAT(problems_of_body("float[n, 4] x, int64[4, 2] w", "float[n, 2] y", "y = MatMul(x, w)"),
              ElementsAre("node of 'y' (MatMul): B has inconsistent type tensor(int64)"));
}

TEST(Check, WantsTypesOfInputsAndOutputs) {
  onnx::ModelProto proto = test::parse_text(test::kSoundText);
  proto.mutable_graph()->mutable_output(0)->clear_type();
  proto.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->set_elem_type(99);
  EXPECT_THAT(problems_of(proto), ElementsAre("input 'x' has the unknown element type 99", "output 'y' has no type"));
}

TEST(Check, TellsAllAtOnce) {
  onnx::ModelProto proto = test::parse_text(test::kSoundText);
  proto.set_ir_version(15);
  proto.mutable_graph()->mutable_initializer(0)->set_raw_data("1");
  proto.mutable_graph()->mutable_initializer(0)->clear_float_data();
  proto.mutable_graph()->mutable_node(2)->set_op_type("Reshap");
  EXPECT_THAT(problems_of(proto),
              UnorderedElementsAre(HasSubstr("tensor 'weight': has 1 bytes of values, expected 96"),
                                   HasSubstr("IR version 15"), HasSubstr("node 'reshape' (Reshap)")));
}

TEST(Check, TurnsWhatIsNoModelIntoAProblem) {
  EXPECT_THAT(check_file(test::data("cases/onnx/w8.bin"), runtime_limits()), ElementsAre(HasSubstr("w8.bin")));
  EXPECT_THAT(check_file(test::data("cases/none.onnx"), runtime_limits()), ElementsAre(HasSubstr("No such file")));
}

TEST(Check, TakesNoMemoryForWeights) {
  const std::vector<std::byte> weights(std::size_t{4} * 1024 * 1024);
  Model model = test::linear_model();
  model.graph.initializers[0].source = {DType::f32, {1024, 1024}, weights};
  model.graph.initializers[0].shape = {1024, 1024};
  model.graph.initializers[1] = test::counting_tensor("bias", {1024});
  model.graph.inputs[0].shape = std::vector<Dimension>{"batch", 1024};
  model.graph.outputs[0].shape = std::vector<Dimension>{"batch", 1024};
  EXPECT_THAT(check(model, runtime_limits()), IsEmpty());
  model.graph.outputs[0].shape = std::vector<Dimension>{"batch", 1000};  // the shapes of weights still count
  EXPECT_THAT(check(model, runtime_limits()), ElementsAre(HasSubstr("(1024) vs (1000)")));
}

TEST(InferShapes, FillsValuesAndOutputs) {
  Model model = test::linear_model();
  model.graph.outputs[0].shape.reset();
  infer_shapes(model);
  ASSERT_EQ(model.graph.values.size(), 1U);
  EXPECT_EQ(model.graph.values[0].name, "xw");
  EXPECT_EQ(model.graph.values[0].shape, (std::vector<Dimension>{"batch", 24}));
  EXPECT_EQ(model.graph.outputs[0].shape, (std::vector<Dimension>{"batch", 24}));
  EXPECT_EQ(model.graph.inputs.size(), 1U);
}

TEST(InferShapes, ThrowsWhereDeclaredAndInferredDisagree) {
  Model model = test::linear_model();
  model.graph.outputs[0].shape = std::vector<Dimension>{"batch", 25};
  try {
    infer_shapes(model);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::mismatch);
    EXPECT_THAT(error.what(), HasSubstr("node 'sum' (Add): Inferred shape and existing shape differ in dimension 1"));
  }
}

TEST(Versions, FollowOnnxsReleases) {
  EXPECT_EQ(lowest_ir_version(7), 3);
  EXPECT_EQ(lowest_ir_version(13), 7);
  EXPECT_EQ(lowest_ir_version(17), 8);
  EXPECT_EQ(lowest_ir_version(18), 8);
  EXPECT_EQ(lowest_ir_version(19), 9);
  EXPECT_EQ(lowest_ir_version(28), 14);
}

}  // namespace
}  // namespace berth::graph
