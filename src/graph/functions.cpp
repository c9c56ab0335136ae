// ONNX's inliner trusts the model: functions that call functions can grow without end, or for ever. So the size of the
// result is counted first.
#include "graph/functions.h"

#include <exception>
#include <map>
#include <onnx/inliner/inliner.h>
#include <onnx/onnx_pb.h>
#include <optional>
#include <string>
#include <tuple>

#include "berth/error.h"
#include "graph/names.h"

namespace berth::graph {
namespace {

constexpr std::uint64_t kMaxInlinedBytes = std::uint64_t{512} << 20;
constexpr std::uint64_t kNodeBytes = 256;  // what a node takes in memory beside its text
constexpr int kMaxCallDepth = 64;

using FunctionKey = std::tuple<std::string, std::string, std::string>;  // domain, name, overload

class SizeCounter {
 public:
  SizeCounter(const onnx::ModelProto& model, const std::string& file) : file_(file) {
    for (const onnx::FunctionProto& function : model.functions()) {
      functions_.emplace(FunctionKey{function.domain(), function.name(), function.overload()},
                         Entry{&function, {}, false});
    }
  }

  template <typename Nodes>
  std::uint64_t count(const Nodes& nodes, int depth) {
    std::uint64_t total = 0;
    for (const onnx::NodeProto& node : nodes) {
      total += kNodeBytes + node.ByteSizeLong() + count_call(node, depth);
      for (const onnx::AttributeProto& attribute : node.attribute()) {
        if (attribute.has_g()) total += count(attribute.g().node(), depth);
      }
      if (total > kMaxInlinedBytes) {
        throw Error(
            ErrorKind::limit, file_,
            "takes more than " + std::to_string(kMaxInlinedBytes >> 20) + " MiB when its functions are inlined");
      }
    }
    return total;
  }

 private:
  struct Entry {
    const onnx::FunctionProto* function;
    std::optional<std::uint64_t> size;
    bool open;  // being counted: a call to it now is a call to itself
  };

  std::uint64_t count_call(const onnx::NodeProto& node, int depth) {
    const auto found = functions_.find(FunctionKey{node.domain(), node.op_type(), node.overload()});
    if (found == functions_.end()) return 0;
    Entry& entry = found->second;
    if (entry.open || depth > kMaxCallDepth) {
      throw Error(ErrorKind::invalid_input, file_,
                  "has the function " + in_quotes(node.op_type()) + ", " +
                      (entry.open ? "which calls itself" : "which calls others too deeply"));
    }
    if (!entry.size) {
      entry.open = true;
      entry.size = count(entry.function->node(), depth + 1);
      entry.open = false;
    }
    return *entry.size;
  }

  const std::string& file_;
  std::map<FunctionKey, Entry> functions_;
};

}  // namespace

void inline_functions(onnx::ModelProto& model, const std::string& file) {
  if (model.functions_size() == 0) return;
  (void)SizeCounter(model, file).count(model.graph().node(), 0);
  try {
    onnx::inliner::InlineLocalFunctions(model);
  } catch (const std::exception& error) {
    throw Error(ErrorKind::unsupported, file, std::string("has functions that cannot be inlined: ") + error.what());
  }
  if (model.functions_size() != 0) {
    throw Error(ErrorKind::unsupported, file,
                "has the function " + in_quotes(model.functions(0).name()) +
                    ", which cannot be inlined: it uses other operator versions than the model",
                "export the model without functions, or with one opset throughout");
  }
}

}  // namespace berth::graph
