// What the runtime loads: versions, and domains of operators.
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "graph/check_rules.h"
#include "graph/names.h"

namespace berth::graph {
namespace {

struct DomainLimit {
  std::string_view domain;
  std::int64_t max_opset;
};

// The domains that ONNX Runtime has built in beside ai.onnx, measured like runtime_limits(): it refuses newer versions.
constexpr std::array<DomainLimit, 2> kOtherDomains{{{"ai.onnx.ml", 5}, {"com.microsoft", 1}}};

std::string_view canonical(std::string_view domain) { return domain.empty() ? "ai.onnx" : domain; }

std::optional<std::int64_t> max_opset_of(std::string_view domain, const RuntimeLimits& limits) {
  if (canonical(domain) == "ai.onnx") return limits.max_opset;
  for (const DomainLimit& known : kOtherDomains) {
    if (known.domain == domain) return known.max_opset;
  }
  return std::nullopt;
}

using OpsOfDomain = std::map<std::string, std::set<std::string>>;

void collect_ops(const Graph& graph, OpsOfDomain& ops) {
  for (const Node& node : graph.nodes) {
    ops[std::string(canonical(node.domain))].insert(node.op);
    for (const auto& [name, attribute] : node.attributes) {
      if (const auto* const branch = std::get_if<std::shared_ptr<const Graph>>(&attribute)) collect_ops(**branch, ops);
    }
  }
}

std::string list_some(const std::set<std::string>& names) {
  constexpr std::size_t kShown = 5;
  std::string text;
  std::size_t shown = 0;
  for (const std::string& name : names) {
    if (shown++ == kShown) return text + " and " + std::to_string(names.size() - kShown) + " more";
    text += (text.empty() ? "" : ", ") + in_quotes(name);
  }
  return text;
}

}  // namespace

void check_versions(const Model& model, const RuntimeLimits& limits, Problems& problems) {
  if (model.ir_version > limits.max_ir_version) {
    problems.add("the model has IR version " + std::to_string(model.ir_version) + "; " + limits.name +
                 " loads versions up to " + std::to_string(limits.max_ir_version));
  }
  std::set<std::string_view> imported;
  for (const Opset& opset : model.opsets) {
    if (!imported.insert(canonical(opset.domain)).second) {
      problems.add("the model imports the domain " + in_quotes(canonical(opset.domain)) + " twice");
    }
    const std::optional<std::int64_t> max_opset = max_opset_of(opset.domain, limits);
    if (max_opset && opset.version > *max_opset) {
      problems.add("the model uses opset " + std::to_string(opset.version) + " of " +
                   std::string(canonical(opset.domain)) + "; " + limits.name + " loads opsets up to " +
                   std::to_string(*max_opset));
    }
  }

  OpsOfDomain ops;
  collect_ops(model.graph, ops);
  for (const auto& [domain, names] : ops) {
    if (!max_opset_of(domain, limits)) {
      problems.add("the model uses operators of the domain " + in_quotes(domain) + " (" + list_some(names) +
                   "), which " + limits.name + " does not have; it has those of ai.onnx, ai.onnx.ml and com.microsoft");
    }
    if (!imported.contains(domain)) {
      problems.add("the model uses operators of the domain " + in_quotes(domain) + " (" + list_some(names) +
                   "), and imports no opset of it");
    }
  }
}

}  // namespace berth::graph
