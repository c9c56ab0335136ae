// Activations: the nodes of each, evaluated one by one, against values of PyTorch (torch 2.15.0, transformers 4.57.6).
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "encoder/activations.h"

namespace berth::encoder {
namespace {

double result_of(const graph::Node& node, const std::vector<double>& in) {
  if (node.op == "Add") return in.at(0) + in.at(1);
  if (node.op == "Mul") return in.at(0) * in.at(1);
  if (node.op == "Div") return in.at(0) / in.at(1);
  if (node.op == "Pow") return std::pow(in.at(0), in.at(1));
  if (node.op == "Erf") return std::erf(in.at(0));
  if (node.op == "Tanh") return std::tanh(in.at(0));
  if (node.op == "Relu") return std::fmax(in.at(0), 0);
  if (node.op == "Sigmoid") return 1 / (1 + std::exp(-in.at(0)));
  if (node.op == "Softplus") return std::log1p(std::exp(in.at(0)));
  if (node.op == "Clip") return std::fmin(std::fmax(in.at(0), in.at(1)), in.at(2));
  ADD_FAILURE() << "no evaluation of " << node.op;
  return NAN;
}

double evaluate(const ActivationRow& row, double x) {
  const Weights no_weights;
  GraphBuilder builder(no_weights, 17);
  const std::string result = row.build(builder, "/activation", "x");
  const graph::Graph graph = std::move(builder).take();
  std::map<std::string, double> values{{"x", x}};
  for (const graph::Tensor& constant : graph.initializers) widen(constant.source, 0, 1, &values[constant.name]);
  for (const graph::Node& node : graph.nodes) {
    std::vector<double> inputs;
    for (const std::string& name : node.inputs) inputs.push_back(values.at(name));
    values[node.outputs.at(0)] = result_of(node, inputs);
  }
  return values.at(result);
}

struct Expected {
  double at_minus_2_7;
  double at_1_5;
  double at_12;
};

const std::map<std::string_view, Expected> kExpected{
    {"gelu", {-0.009360829268, 1.399789198, 12}},
    {"gelu_python", {-0.009360829268, 1.399789198, 12}},
    {"gelu_10", {-0.009360829268, 1.399789198, 10}},
    {"gelu_new", {-0.008887594639, 1.399571577, 12}},
    {"gelu_fast", {-0.00888759464, 1.399571577, 12}},
    {"gelu_accurate", {-0.008887594639, 1.399571577, 12}},
    {"gelu_pytorch_tanh", {-0.008887594639, 1.399571577, 12}},
    {"gelu_python_tanh", {-0.008887594639, 1.399571577, 12}},
    {"quick_gelu", {-0.02699251262, 1.391662198, 11.99999998}},
    {"relu", {0, 1.5, 12}},
    {"silu", {-0.1700280614, 1.226361714, 11.99992627}},
    {"swish", {-0.1700280614, 1.226361714, 11.99992627}},
    {"mish", {-0.1753703754, 1.403378266, 12}},
    {"sigmoid", {0.06297335606, 0.8175744762, 0.9999938558}},
    {"tanh", {-0.9910074537, 0.9051482536, 0.9999999999}},
};

TEST(Activations, GiveTheValuesOfPyTorch) {
  for (const ActivationRow& row : activations()) {
    ASSERT_TRUE(kExpected.contains(row.name)) << row.name;
    const Expected& expected = kExpected.at(row.name);
    EXPECT_NEAR(evaluate(row, -2.7), expected.at_minus_2_7, 1e-7) << row.name;
    EXPECT_NEAR(evaluate(row, 1.5), expected.at_1_5, 1e-6) << row.name;
    EXPECT_NEAR(evaluate(row, 12), expected.at_12, 1e-6) << row.name;
  }
  EXPECT_EQ(activations().size(), kExpected.size());
}

TEST(Activations, AreFoundByNameOnly) {
  EXPECT_EQ(find_activation("gelu")->name, "gelu");
  EXPECT_EQ(find_activation("GELU"), nullptr);
  EXPECT_EQ(find_activation(""), nullptr);
}

}  // namespace
}  // namespace berth::encoder
