// A graph that grows node by node: names for nodes and values, and weights and constants that are added once, where
// they are first used. The names are the same for the same sequence of calls.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "berth/encoder.h"
#include "berth/graph.h"

namespace berth::encoder {

using Attributes = std::vector<std::pair<std::string, graph::Attribute>>;

class GraphBuilder {
 public:
  GraphBuilder(const Weights& weights, std::int64_t opset);  // the weights' tensors must outlive the graph

  [[nodiscard]] std::int64_t opset() const noexcept { return opset_; }
  [[nodiscard]] bool has_weight(std::string_view name) const { return weights_->contains(name); }
  [[nodiscard]] const TensorView& source(std::string_view name) const;

  // Appends the node SCOPE/OP (SCOPE/OP_1 when that is taken) and returns the name of its only output: the node's own
  // with "_output_0", as PyTorch's exporter has it.
  std::string add(std::string_view op, const std::string& scope, std::vector<std::string> inputs,
                  Attributes attributes = {});

  // The same for a node of several outputs: "_output_0", "_output_1", …
  std::vector<std::string> add_several(std::string_view op, const std::string& scope, std::vector<std::string> inputs,
                                       std::size_t outputs, Attributes attributes = {});

  // Gives the output of the last node another name, before anyone has used it, and returns that.
  std::string name_last(std::string name);

  // A weight as it is stored; with its two axes swapped; its first rows. Each is named as the checkpoint names it, but
  // for a tied weight, whose values are those of another name.
  std::string weight(std::string_view name);
  std::string transposed_weight(std::string_view name);
  std::string transposed_weight(std::string_view name, std::string_view tied_to);
  std::string first_rows(std::string_view name, std::int64_t rows);

  // The same name always means the same values.
  std::string scalar(std::string_view name, float value);
  std::string scalar(std::string_view name, std::int64_t value);
  std::string vector(std::string_view name, std::vector<std::int64_t> values);
  std::string table(std::string_view name, std::vector<float> values, Shape shape);

  [[nodiscard]] graph::Graph take() && { return std::move(graph_); }

 private:
  std::string add_initializer(graph::Tensor tensor);

  const Weights* weights_;
  std::int64_t opset_;
  graph::Graph graph_;
  std::map<std::string, int> node_names_;
  std::set<std::string, std::less<>> initializers_;
};

// Module "encoder.layer.0.attention" as the scope of its nodes: "/encoder/layer.0/attention".
[[nodiscard]] std::string scope_of(std::string_view module);

}  // namespace berth::encoder
