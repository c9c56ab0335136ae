// All problems of a model: our rules first, then ONNX's checker node by node (it stops at the first problem of what it
// is given), then its inference, each only when what it relies on is sound.
#include <exception>
#include <onnx/checker.h>

#include "berth/error.h"
#include "berth/graph.h"
#include "graph/check_rules.h"
#include "graph/names.h"
#include "graph/onnx_model.h"
#include "graph/read.h"

namespace berth::graph {
namespace {

using onnx::checker::CheckerContext;
using onnx::checker::LexicalScopeContext;

// Runs one of ONNX's checks; its exceptions (and a lack of memory) are problems.
template <typename Check>
bool passes(Problems& problems, const std::string& place, Check&& run) {
  try {
    run();
    return true;
  } catch (const std::exception& error) {
    for (std::string& sentence : plain_sentences(error.what())) {
      if (!place.empty()) {
        const std::size_t again = sentence.find("(" + place + ")");
        if (again != std::string::npos) sentence.erase(again, place.size() + 2);
        sentence.insert(0, place + ": ");
      }
      problems.add(std::move(sentence));
    }
    return false;
  }
}

// Names were checked before; the scopes here only serve ONNX's own walk through inner graphs.
bool check_nodes(const onnx::GraphProto& graph, const CheckerContext& context, const LexicalScopeContext& outer,
                 Problems& problems) {
  LexicalScopeContext scope(outer);
  for (const auto& input : graph.input()) scope.add(input.name());
  for (const auto& tensor : graph.initializer()) scope.add(tensor.name());
  bool sound = true;
  for (const onnx::NodeProto& node : graph.node()) {
    bool inner_sound = true;
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.has_g()) inner_sound = check_nodes(attribute.g(), context, scope, problems) && inner_sound;
    }
    // The name is the node's description: see without_weights(). A domain without an opset was reported already.
    const bool has_opset = context.get_opset_imports().contains(node.domain() == "ai.onnx" ? "" : node.domain());
    sound =
        inner_sound && has_opset && passes(problems, node.name(), [&] { check_node(node, context, scope); }) && sound;
    for (const std::string& output : node.output()) scope.add(output);
  }
  return sound;
}

CheckerContext context_of(const onnx::ModelProto& proto) {
  CheckerContext context;
  context.set_ir_version(static_cast<int>(proto.ir_version()));
  std::unordered_map<std::string, int> imports;
  for (const auto& opset : proto.opset_import()) {
    imports[opset.domain() == "ai.onnx" ? "" : opset.domain()] = static_cast<int>(opset.version());
  }
  context.set_opset_imports(std::move(imports));
  return context;
}

void check_by_onnx(const Model& model, Problems& problems) {
  onnx::ModelProto proto = without_weights(model);
  // Versions that ONNX's library does not know were reported already; the rest of the model can still be checked.
  if (proto.ir_version() > onnx::IR_VERSION) proto.set_ir_version(onnx::IR_VERSION);
  if (!check_nodes(proto.graph(), context_of(proto), LexicalScopeContext(), problems)) return;
  if (!passes(problems, "", [&] { onnx::checker::check_model(proto); })) return;
  passes(problems, "", [&] { run_inference(proto); });
}

void check_into(const Model& model, const RuntimeLimits& limits, Problems& problems) {
  check_versions(model, limits, problems);
  Problems names;
  check_names(model, names);
  const bool names_sound = names.empty();
  for (std::string& problem : names.take()) problems.add(std::move(problem));
  if (names_sound) check_by_onnx(model, problems);
}

}  // namespace

std::vector<std::string> check(const Model& model, const RuntimeLimits& limits) {
  Problems problems;
  passes(problems, "", [&] { check_into(model, limits, problems); });
  return problems.take();
}

std::vector<std::string> check_file(const std::filesystem::path& file, const RuntimeLimits& limits) {
  Problems problems;
  passes(problems, "", [&] {
    std::vector<std::string> of_tensors;
    const Model model = read_model(file, &of_tensors);
    for (std::string& problem : of_tensors) problems.add(std::move(problem));
    check_into(model, limits, problems);
  });
  return problems.take();
}

}  // namespace berth::graph
