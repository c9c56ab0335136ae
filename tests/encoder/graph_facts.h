// What tests ask of a graph.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "berth/graph.h"

namespace berth::test {

inline std::size_t count_of(const graph::Graph& graph, std::string_view op) {
  return static_cast<std::size_t>(
      std::count_if(graph.nodes.begin(), graph.nodes.end(), [&](const graph::Node& node) { return node.op == op; }));
}

inline std::vector<std::string> names_of(const std::vector<graph::Value>& values) {
  std::vector<std::string> names;
  for (const graph::Value& value : values) names.push_back(value.name);
  return names;
}

inline const graph::Tensor* find_initializer(const graph::Graph& graph, std::string_view name) {
  const auto found = std::find_if(graph.initializers.begin(), graph.initializers.end(),
                                  [&](const graph::Tensor& tensor) { return tensor.name == name; });
  return found == graph.initializers.end() ? nullptr : &*found;
}

// Values that nodes or initializers make and nobody takes.
inline std::vector<std::string> dead_values(const graph::Graph& graph) {
  std::set<std::string> used;
  for (const graph::Value& output : graph.outputs) used.insert(output.name);
  for (const graph::Node& node : graph.nodes) used.insert(node.inputs.begin(), node.inputs.end());
  std::vector<std::string> dead;
  for (const graph::Node& node : graph.nodes) {
    std::copy_if(node.outputs.begin(), node.outputs.end(), std::back_inserter(dead),
                 [&](const std::string& name) { return !used.contains(name); });
  }
  for (const graph::Tensor& tensor : graph.initializers) {
    if (!used.contains(tensor.name)) dead.push_back(tensor.name);
  }
  return dead;
}

// "batch_size, sequence_length, 8"
inline std::string dimensions_of(const graph::Value& value) {
  std::string text;
  for (const graph::Dimension& dimension : value.shape.value()) {
    const auto* const size = std::get_if<std::int64_t>(&dimension);
    text += (text.empty() ? "" : ", ") + (size != nullptr ? std::to_string(*size) : std::get<std::string>(dimension));
  }
  return text;
}

}  // namespace berth::test
