// One sweep from the outputs back: nodes stand in topological order, so whoever uses a value comes after who makes it.
#include "encoder/unused_parts.h"

#include <algorithm>
#include <set>
#include <string>

namespace berth::encoder {

void remove_unused(graph::Graph& graph) {
  std::set<std::string, std::less<>> needed;
  for (const graph::Value& output : graph.outputs) needed.insert(output.name);
  const auto is_needed = [&](const std::string& name) { return needed.contains(name); };
  std::vector<graph::Node> kept;
  for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
    if (std::none_of(node->outputs.begin(), node->outputs.end(), is_needed)) continue;
    needed.insert(node->inputs.begin(), node->inputs.end());
    kept.push_back(std::move(*node));
  }
  std::reverse(kept.begin(), kept.end());
  graph.nodes = std::move(kept);
  std::erase_if(graph.initializers, [&](const graph::Tensor& tensor) { return !is_needed(tensor.name); });
}

}  // namespace berth::encoder
