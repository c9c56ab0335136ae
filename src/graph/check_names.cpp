// A graph is a list of definitions: one walk finds names that are defined twice, too late, or never.
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "graph/check_rules.h"
#include "graph/element_type.h"
#include "graph/names.h"

namespace berth::graph {
namespace {

// The names of one graph; inner graphs see those of the graphs around them.
class Scope {
 public:
  Scope(const Scope* outer, Problems& problems) : outer_(outer), problems_(problems) {}

  void define(const std::string& name, const std::string& by) {
    if (names_.insert(name).second) return;
    problems_.add("value " + in_quotes(name) + " is defined twice, the second time by " + by);
  }

  [[nodiscard]] bool knows(const std::string& name) const {
    return names_.contains(name) || (outer_ != nullptr && outer_->knows(name));
  }

 private:
  const Scope* outer_;
  Problems& problems_;
  std::unordered_set<std::string> names_;
};

class NameChecker {
 public:
  explicit NameChecker(Problems& problems) : problems_(problems) {}

  void check(const Graph& graph, const Scope* outer) {
    Scope scope(outer, problems_);
    for (const Value& input : graph.inputs) scope.define(input.name, "an input");
    for (const Tensor& tensor : graph.initializers) scope.define(tensor.name, "an initializer");
    std::unordered_map<std::string, const Node*> producers;
    for (const Node& node : graph.nodes) {
      for (const std::string& output : node.outputs) producers.emplace(output, &node);
    }
    for (const Node& node : graph.nodes) {
      for (const std::string& input : node.inputs) check_use(input, node, scope, producers);
      for (const auto& [name, attribute] : node.attributes) {
        if (const auto* const branch = std::get_if<std::shared_ptr<const Graph>>(&attribute)) check(**branch, &scope);
      }
      for (const std::string& output : node.outputs) {
        if (!output.empty()) scope.define(output, describe(node));
      }
    }
    for (const Value& output : graph.outputs) {
      if (!scope.knows(output.name)) problems_.add("output " + in_quotes(output.name) + " is computed by no node");
    }
  }

 private:
  using Producers = std::unordered_map<std::string, const Node*>;

  void check_use(const std::string& name, const Node& node, const Scope& scope, const Producers& producers) {
    if (name.empty() || scope.knows(name)) return;
    const auto producer = producers.find(name);
    problems_.add(describe(node) + " reads " + in_quotes(name) +
                  (producer == producers.end() ? ", which is no input, initializer or output of a node"
                                               : ", which is computed only later, by " + describe(*producer->second)));
  }

  Problems& problems_;
};

void check_type(const Value& value, const std::string& role, Problems& problems) {
  const std::string name = role + " " + in_quotes(value.name);
  if (value.type == ElementType::undefined) {
    problems.add(name + " has no type");
  } else if (!is_known(value.type)) {
    problems.add(name + " has the unknown element " + name_of(value.type));
  }
}

}  // namespace

void check_names(const Model& model, Problems& problems) {
  NameChecker(problems).check(model.graph, nullptr);
  if (model.graph.outputs.empty()) problems.add("the model has no output");
  for (const Value& input : model.graph.inputs) check_type(input, "input", problems);
  for (const Value& output : model.graph.outputs) check_type(output, "output", problems);
}

}  // namespace berth::graph
