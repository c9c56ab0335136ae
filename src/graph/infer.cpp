// Types and shapes of all values by ONNX's inference.
#include <exception>

#include "berth/error.h"
#include "berth/graph.h"
#include "graph/decode.h"
#include "graph/names.h"
#include "graph/onnx_model.h"

namespace berth::graph {

void infer_shapes(Model& model) {
  onnx::ModelProto proto = without_weights(model);
  try {
    run_inference(proto);
  } catch (const std::exception& error) {
    std::string message;
    for (const std::string& sentence : plain_sentences(error.what()))
      message += (message.empty() ? "" : "; ") + sentence;
    throw Error(ErrorKind::mismatch, "graph " + in_quotes(model.graph.name), message);
  }
  model.graph.values.clear();
  for (const onnx::ValueInfoProto& value : proto.graph().value_info()) {
    Value decoded = decode_value(value);
    if (decoded.type != ElementType::undefined) model.graph.values.push_back(std::move(decoded));
  }
  for (int i = 0; i < proto.graph().output_size(); ++i) {
    model.graph.outputs[static_cast<std::size_t>(i)] = decode_value(proto.graph().output(i));
  }
}

}  // namespace berth::graph
