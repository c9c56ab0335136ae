// What berth's graph can hold is kept, what it cannot is refused by name. Documentation, training and sharding
// information do not change what a model computes, and are left behind.
#include "graph/decode.h"

#include <onnx/onnx_pb.h>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "berth/error.h"
#include "graph/element_type.h"
#include "graph/names.h"
#include "graph/skim.h"

namespace berth::graph {
namespace {

using onnx::AttributeProto;

template <typename To, typename Repeated>
std::vector<To> to_vector(const Repeated& repeated) {
  return {repeated.begin(), repeated.end()};
}

class Decoder {
 public:
  Decoder(const std::vector<StoredTensor>& tensors, const std::string& file) : tensors_(tensors), file_(file) {}

  Graph decode_graph(const onnx::GraphProto& proto) const {
    if (proto.sparse_initializer_size() != 0) {
      throw Error(ErrorKind::unsupported, file_, "has sparse initializers, which berth does not read",
                  "export the model with dense weights");
    }
    Graph graph;
    graph.name = proto.name();
    std::unordered_set<std::string_view> initialized;
    for (const onnx::TensorProto& tensor : proto.initializer()) {
      graph.initializers.push_back(decode_tensor(tensor));
      initialized.insert(tensor.name());
    }
    for (const onnx::ValueInfoProto& input : proto.input()) {
      if (!initialized.contains(input.name())) graph.inputs.push_back(decode_interface(input, "input"));
    }
    for (const onnx::ValueInfoProto& output : proto.output()) {
      graph.outputs.push_back(decode_interface(output, "output"));
    }
    for (const onnx::ValueInfoProto& value : proto.value_info()) {
      Value decoded = decode_value(value);
      if (decoded.type != ElementType::undefined) graph.values.push_back(std::move(decoded));
    }
    for (const onnx::NodeProto& node : proto.node()) graph.nodes.push_back(decode_node(node));
    return graph;
  }

 private:
  Value decode_interface(const onnx::ValueInfoProto& proto, std::string_view role) const {
    const auto kind = proto.type().value_case();
    if (kind != onnx::TypeProto::kTensorType && kind != onnx::TypeProto::VALUE_NOT_SET) {
      throw Error(ErrorKind::unsupported, file_ + ": " + std::string(role) + " " + in_quotes(proto.name()),
                  "is a sequence, map, optional or sparse value; berth knows dense tensors only");
    }
    return decode_value(proto);
  }

  Tensor decode_tensor(const onnx::TensorProto& proto) const {
    const StoredTensor& stored = tensors_.at(tensor_index(proto.raw_data()));
    Tensor tensor;
    tensor.name = proto.name();  // inlining a function renames its tensors
    tensor.type = stored.type;
    tensor.shape = stored.shape;
    tensor.owned = stored.owned;
    const std::optional<DType> dtype = dtype_of(stored.type);
    tensor.source.dtype = dtype.value_or(DType::u8);
    tensor.source.shape = dtype ? stored.shape : Shape{static_cast<std::int64_t>(stored.data.size())};
    tensor.source.data = stored.data;
    return tensor;
  }

  Node decode_node(const onnx::NodeProto& proto) const {
    Node node;
    node.op = proto.op_type();
    node.name = proto.name();
    node.domain = proto.domain();
    node.inputs = to_vector<std::string>(proto.input());
    node.outputs = to_vector<std::string>(proto.output());
    for (const AttributeProto& attribute : proto.attribute()) {
      node.attributes.emplace_back(attribute.name(), decode_attribute(attribute, node));
    }
    return node;
  }

  Attribute decode_attribute(const AttributeProto& proto, const Node& node) const {
    switch (type_of(proto)) {
      case AttributeProto::INT: return std::int64_t{proto.i()};
      case AttributeProto::FLOAT: return proto.f();
      case AttributeProto::STRING: return proto.s();
      case AttributeProto::INTS: return to_vector<std::int64_t>(proto.ints());
      case AttributeProto::FLOATS: return to_vector<float>(proto.floats());
      case AttributeProto::STRINGS: return to_vector<std::string>(proto.strings());
      case AttributeProto::TENSOR:
        if (proto.has_t()) return decode_tensor(proto.t());
        break;
      case AttributeProto::GRAPH:
        if (proto.has_g()) return std::make_shared<const Graph>(decode_graph(proto.g()));
        break;
      default: break;
    }
    throw Error(ErrorKind::unsupported, file_ + ": " + describe(node),
                "has the attribute " + in_quotes(proto.name()) +
                    " of a kind that berth does not read: " + onnx::AttributeProto_AttributeType_Name(type_of(proto)));
  }

  // Models of IR version 1 do not say the type: the field that is set tells it.
  static onnx::AttributeProto_AttributeType type_of(const AttributeProto& proto) {
    if (proto.type() != AttributeProto::UNDEFINED) return proto.type();
    if (proto.has_i()) return AttributeProto::INT;
    if (proto.has_f()) return AttributeProto::FLOAT;
    if (proto.has_s()) return AttributeProto::STRING;
    if (proto.has_t()) return AttributeProto::TENSOR;
    if (proto.has_g()) return AttributeProto::GRAPH;
    if (proto.ints_size() != 0) return AttributeProto::INTS;
    if (proto.floats_size() != 0) return AttributeProto::FLOATS;
    if (proto.strings_size() != 0) return AttributeProto::STRINGS;
    return AttributeProto::UNDEFINED;
  }

  const std::vector<StoredTensor>& tensors_;
  const std::string& file_;
};

Dimension decode_dimension(const onnx::TensorShapeProto_Dimension& proto) {
  if (proto.has_dim_value()) return std::int64_t{proto.dim_value()};
  return proto.dim_param();  // "" where nothing is known
}

}  // namespace

Value decode_value(const onnx::ValueInfoProto& proto) {
  Value value;
  value.name = proto.name();
  if (!proto.type().has_tensor_type()) return value;
  const onnx::TypeProto_Tensor& type = proto.type().tensor_type();
  value.type = static_cast<ElementType>(type.elem_type());
  if (type.has_shape()) {
    value.shape.emplace();
    for (const auto& dimension : type.shape().dim()) value.shape->push_back(decode_dimension(dimension));
  }
  return value;
}

Model decode_model(const onnx::ModelProto& proto, const std::vector<StoredTensor>& tensors, const std::string& file) {
  Model model;
  model.ir_version = proto.ir_version();
  model.producer_name = proto.producer_name();
  model.producer_version = proto.producer_version();
  for (const onnx::OperatorSetIdProto& opset : proto.opset_import()) {
    model.opsets.push_back({opset.domain(), opset.version()});
  }
  for (const onnx::StringStringEntryProto& entry : proto.metadata_props()) {
    model.metadata.emplace_back(entry.key(), entry.value());
  }
  model.graph = Decoder(tensors, file).decode_graph(proto.graph());
  return model;
}

}  // namespace berth::graph
