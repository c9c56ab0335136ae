// Names, weights and constants of a growing graph.
#include "encoder/graph_builder.h"

#include "berth/error.h"

namespace berth::encoder {

GraphBuilder::GraphBuilder(const Weights& weights, std::int64_t opset) : weights_(&weights), opset_(opset) {}

const TensorView& GraphBuilder::source(std::string_view name) const {
  const auto found = weights_->find(name);
  if (found == weights_->end()) {
    throw Error(ErrorKind::internal, std::string(name), "is not among the tensors that were bound for this head");
  }
  return found->second;
}

std::string GraphBuilder::add(std::string_view op, const std::string& scope, std::vector<std::string> inputs,
                              Attributes attributes) {
  return add_several(op, scope, std::move(inputs), 1, std::move(attributes)).front();
}

std::vector<std::string> GraphBuilder::add_several(std::string_view op, const std::string& scope,
                                                   std::vector<std::string> inputs, std::size_t outputs,
                                                   Attributes attributes) {
  graph::Node node;
  node.op = op;
  node.name = scope + "/" + node.op;
  const int namesakes = node_names_[node.name]++;
  if (namesakes > 0) node.name += "_" + std::to_string(namesakes);
  node.inputs = std::move(inputs);
  node.attributes = std::move(attributes);
  for (std::size_t i = 0; i < outputs; ++i) node.outputs.push_back(node.name + "_output_" + std::to_string(i));
  graph_.nodes.push_back(std::move(node));
  return graph_.nodes.back().outputs;
}

std::string GraphBuilder::name_last(std::string name) {
  graph_.nodes.back().outputs.front() = name;
  return name;
}

std::string GraphBuilder::add_initializer(graph::Tensor tensor) {
  std::string name = tensor.name;
  if (initializers_.insert(name).second) graph_.initializers.push_back(std::move(tensor));
  return name;
}

std::string GraphBuilder::weight(std::string_view name) {
  const TensorView& view = source(name);
  return add_initializer({.name = std::string(name), .shape = view.shape, .source = view, .owned = {}});
}

std::string GraphBuilder::transposed_weight(std::string_view name) { return transposed_weight(name, name); }

std::string GraphBuilder::transposed_weight(std::string_view name, std::string_view tied_to) {
  const TensorView& view = source(tied_to);
  return add_initializer({.name = std::string(name),
                          .shape = {view.shape.at(1), view.shape.at(0)},
                          .source = view,
                          .transposed = true,
                          .owned = {}});
}

std::string GraphBuilder::first_rows(std::string_view name, std::int64_t rows) {
  TensorView view = source(name);
  view.data =
      view.data.first(view.data.size() / static_cast<std::size_t>(view.shape.at(0)) * static_cast<std::size_t>(rows));
  view.shape.at(0) = rows;
  Shape shape = view.shape;
  return add_initializer(
      {.name = std::string(name), .shape = std::move(shape), .source = std::move(view), .owned = {}});
}

std::string GraphBuilder::scalar(std::string_view name, float value) {
  return add_initializer(graph::constant(std::string(name), std::vector<float>{value}, {}));
}

std::string GraphBuilder::scalar(std::string_view name, std::int64_t value) {
  return add_initializer(graph::constant(std::string(name), std::vector<std::int64_t>{value}, {}));
}

std::string GraphBuilder::vector(std::string_view name, std::vector<std::int64_t> values) {
  Shape shape{static_cast<std::int64_t>(values.size())};
  return add_initializer(graph::constant(std::string(name), std::move(values), std::move(shape)));
}

std::string GraphBuilder::table(std::string_view name, std::vector<float> values, Shape shape) {
  return add_initializer(graph::constant(std::string(name), std::move(values), std::move(shape)));
}

std::string scope_of(std::string_view module) {
  std::string scope = "/";
  for (std::size_t i = 0; i < module.size(); ++i) {
    const bool before_index = i + 1 < module.size() && module[i + 1] >= '0' && module[i + 1] <= '9';
    scope += module[i] == '.' && !before_index ? '/' : module[i];
  }
  return scope;
}

}  // namespace berth::encoder
