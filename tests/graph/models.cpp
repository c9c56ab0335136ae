// Models made by hand.
#include "graph/models.h"

#include <fstream>
#include <numeric>
#include <onnx/defs/parser.h>
#include <stdexcept>
#include <utility>

#include "graph/encode.h"

namespace berth::test {

using graph::Dimension;
using graph::ElementType;
using graph::Graph;
using graph::Model;
using graph::Node;
using graph::Tensor;

Tensor counting_tensor(std::string name, Shape shape) {
  std::vector<float> values(static_cast<std::size_t>(element_count(shape)));
  std::iota(values.begin(), values.end(), 0.0F);
  return graph::constant(std::move(name), std::move(values), std::move(shape));
}

namespace {

Model empty_model() {
  Model model;
  model.ir_version = 8;
  model.opsets = {{"", 17}};
  model.producer_name = "berth";
  model.producer_version = "test";
  model.graph.name = "main";
  return model;
}

Node node(std::string op, std::string name, std::vector<std::string> inputs, std::vector<std::string> outputs) {
  Node made;
  made.op = std::move(op);
  made.name = std::move(name);
  made.inputs = std::move(inputs);
  made.outputs = std::move(outputs);
  return made;
}

std::shared_ptr<const Graph> branch(const std::string& name, const std::string& op) {
  Graph graph;
  graph.name = name;
  graph.nodes.push_back(node(op, name + "/" + op, {"x"}, {name + "_out"}));
  graph.outputs.push_back({name + "_out", ElementType::f32, std::vector<Dimension>{"batch", 4}});
  return std::make_shared<const Graph>(std::move(graph));
}

}  // namespace

Model linear_model() {
  Model model = empty_model();
  Tensor weight = counting_tensor("weight", {24, 32});
  weight.shape = {32, 24};
  weight.transposed = true;
  model.graph.initializers = {std::move(weight), counting_tensor("bias", {24})};
  model.graph.inputs = {{"x", ElementType::f32, std::vector<Dimension>{"batch", 32}}};
  model.graph.outputs = {{"y", ElementType::f32, std::vector<Dimension>{"batch", 24}}};
  model.graph.nodes = {node("MatMul", "product", {"x", "weight"}, {"xw"}), node("Add", "sum", {"xw", "bias"}, {"y"})};
  return model;
}

Model varied_model() {
  Model model = empty_model();
  model.opsets.push_back({"com.microsoft", 1});
  model.metadata = {{"task", "test"}, {"empty", ""}};
  Graph& main = model.graph;
  main.inputs = {{"x", ElementType::f32, std::vector<Dimension>{"batch", 4}},
                 {"flag", ElementType::boolean, std::vector<Dimension>{}},
                 {"any", ElementType::f32, std::vector<Dimension>{"", 4}}};

  Node choice = node("If", "choice", {"flag"}, {"chosen"});
  choice.attributes = {{"then_branch", branch("then", "Relu")}, {"else_branch", branch("else", "Neg")}};

  Node constant_node = node("Constant", "", {}, {"shift"});
  constant_node.attributes = {{"value", counting_tensor("", {1, 4})}};

  Node many = node("EveryAttribute", "every", {"chosen", "", "shift"}, {"z", "", "w"});
  many.domain = "com.microsoft";
  many.attributes = {{"int", std::int64_t{-3}},
                     {"float", 0.5F},
                     {"text", std::string("gelu")},
                     {"ints", std::vector<std::int64_t>{0, -1, std::int64_t{1} << 40}},
                     {"floats", std::vector<float>{1.5F, -0.0F}},
                     {"texts", std::vector<std::string>{"a", ""}},
                     {"no_ints", std::vector<std::int64_t>{}}};

  main.nodes = {std::move(choice), std::move(constant_node), std::move(many)};
  main.outputs = {{"z", ElementType::f32, std::nullopt}, {"w", ElementType::i64, std::vector<Dimension>{"batch", ""}}};
  main.values = {{"chosen", ElementType::f32, std::vector<Dimension>{"batch", 4}}};
  main.initializers = {graph::constant("axes", std::vector<std::int64_t>{1, -1}, {2}),
                       graph::constant("scale", std::vector<float>{2.0F}, {}), counting_tensor("table", {40, 10})};
  return model;
}

onnx::ModelProto parse_text(std::string_view text) {
  const std::string copy(text);  // the parser wants a terminated text
  onnx::ModelProto proto;
  onnx::OnnxParser parser(copy.c_str());
  const auto status = parser.Parse(proto);
  if (!status.IsOK()) throw std::runtime_error(status.ErrorMessage());
  return proto;
}

void save(const onnx::ModelProto& proto, const std::filesystem::path& path) {
  std::ofstream(path, std::ios::binary) << proto.SerializeAsString();
}

std::vector<std::byte> stored_values(const Tensor& tensor) {
  graph::Message message;
  message.add_encoded_fields(tensor);
  const std::string bytes = graph::to_bytes(message);
  const std::span<const std::byte> view = std::as_bytes(std::span(bytes));
  return {view.begin(), view.end()};
}

}  // namespace berth::test
