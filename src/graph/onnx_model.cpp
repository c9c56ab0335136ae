// The seam to ONNX's library.
#include "graph/onnx_model.h"

#include <algorithm>
#include <array>
#include <onnx/shape_inference/implementation.h>
#include <string_view>

#include "berth/error.h"
#include "graph/encode.h"
#include "graph/quiet_protobuf.h"

namespace berth::graph {
namespace {

constexpr std::array<std::string_view, 3> kTags{"[ShapeInferenceError] ", "[TypeInferenceError] ",
                                                "Inference error(s): "};

void remove_all(std::string& text, std::string_view part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at)) text.erase(at, part.size());
}

// "(op_type:MatMul, node name: node 'x' (MatMul)): Incompatible …" becomes "node 'x' (MatMul): Incompatible …".
std::string put_node_first(std::string sentence) {
  constexpr std::string_view kStart = ", node name: ";
  constexpr std::string_view kEnd = ")): ";
  while (sentence.starts_with("(op_type:")) {  // an inner graph's node comes after that of the outer one
    const std::size_t start = sentence.find(kStart);
    const std::size_t end = sentence.find(kEnd, start == std::string::npos ? 0 : start);
    if (start == std::string::npos || end == std::string::npos) break;
    const std::string node = sentence.substr(start + kStart.size(), end + 1 - start - kStart.size());
    const std::string rest = sentence.substr(end + kEnd.size());
    if (!rest.starts_with("(op_type:")) return node + ": " + rest;
    sentence = rest;
  }
  return sentence;
}

}  // namespace

onnx::ModelProto without_weights(const Model& model) {
  silence_protobuf();
  onnx::ModelProto proto;
  const EncodedModel encoded = encode_model(model, WeightPlace::left_out);
  if (!proto.ParseFromString(to_bytes(encoded.message))) {
    throw Error(ErrorKind::internal, "", "protobuf cannot read a model that berth encoded");
  }
  return proto;
}

void run_inference(onnx::ModelProto& proto) {
  constexpr bool kCheckTypes = true;
  constexpr int kStrict = 1;
  constexpr bool kPropagateData = true;
  onnx::shape_inference::InferShapes(proto, onnx::OpSchemaRegistry::Instance(),
                                     onnx::ShapeInferenceOptions(kCheckTypes, kStrict, kPropagateData));
}

std::vector<std::string> plain_sentences(std::string message) {
  const std::size_t context = message.find("\n\n==> Context:");
  if (context != std::string::npos) message.resize(context);
  for (const std::string_view tag : kTags) remove_all(message, tag);

  std::vector<std::string> sentences;
  for (std::size_t begin = 0; begin < message.size();) {
    const std::size_t end = std::min(message.find('\n', begin), message.size());
    if (end > begin) sentences.push_back(put_node_first(message.substr(begin, end - begin)));
    begin = end + 1;
  }
  return sentences;
}

}  // namespace berth::graph
