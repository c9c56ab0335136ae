// Our structures as the messages of onnx.proto (ONNX 1.23). Field numbers come from ONNX's generated headers; fields go
// in the order of their numbers.
#include "graph/encode.h"

#include <onnx/onnx_pb.h>
#include <type_traits>
#include <utility>

#include "base/checked.h"
#include "graph/element_type.h"
#include "graph/names.h"
#include "graph/tensor_stream.h"

namespace berth::graph {
namespace {

using onnx::AttributeProto;
using onnx::GraphProto;
using onnx::ModelProto;
using onnx::NodeProto;
using onnx::TensorProto;
using onnx::TypeProto;
using onnx::ValueInfoProto;

Message encode_pair(const std::string& key, const std::string& value) {
  Message message;
  message.add_text(onnx::StringStringEntryProto::kKeyFieldNumber, key);
  message.add_text(onnx::StringStringEntryProto::kValueFieldNumber, value);
  return message;
}

Message encode_shape(const std::vector<Dimension>& shape) {
  Message message;
  for (const Dimension& dimension : shape) {
    Message size;
    if (const auto* const number = std::get_if<std::int64_t>(&dimension)) {
      size.add_integer(onnx::TensorShapeProto_Dimension::kDimValueFieldNumber, *number);
    } else if (const auto& name = std::get<std::string>(dimension); !name.empty()) {
      size.add_text(onnx::TensorShapeProto_Dimension::kDimParamFieldNumber, name);
    }
    message.add_message(onnx::TensorShapeProto::kDimFieldNumber, size);
  }
  return message;
}

Message encode_value(const Value& value) {
  Message message;
  message.add_text(ValueInfoProto::kNameFieldNumber, value.name);
  if (value.type == ElementType::undefined) return message;
  Message tensor_type;
  tensor_type.add_integer(onnx::TypeProto_Tensor::kElemTypeFieldNumber, static_cast<std::int64_t>(value.type));
  if (value.shape) tensor_type.add_message(onnx::TypeProto_Tensor::kShapeFieldNumber, encode_shape(*value.shape));
  Message type;
  type.add_message(TypeProto::kTensorTypeFieldNumber, tensor_type);
  message.add_message(ValueInfoProto::kTypeFieldNumber, type);
  return message;
}

Value value_of(const Tensor& tensor) {
  return {tensor.name, tensor.type, std::vector<Dimension>(tensor.shape.begin(), tensor.shape.end())};
}

Message encode_tensor_header(const Tensor& tensor) {
  Message message;
  for (const std::int64_t extent : tensor.shape) message.add_integer(TensorProto::kDimsFieldNumber, extent);
  message.add_integer(TensorProto::kDataTypeFieldNumber, static_cast<std::int64_t>(tensor.type));
  if (!tensor.name.empty()) message.add_text(TensorProto::kNameFieldNumber, tensor.name);
  return message;
}

Message encode_tensor(const Tensor& tensor) {
  Message message = encode_tensor_header(tensor);
  if (tensor.type == ElementType::string) {
    message.add_encoded_fields(tensor);
  } else {
    message.add_tensor_data(TensorProto::kRawDataFieldNumber, tensor);
  }
  return message;
}

// Encodes one model. Its members are what graphs at any depth share.
class Encoder {
 public:
  Encoder(const Model& model, WeightPlace place, const std::string& location)
      : model_(model), place_(place), location_(location) {}

  EncodedModel encode() {
    Message message;
    message.add_integer(ModelProto::kIrVersionFieldNumber, model_.ir_version);
    if (!model_.producer_name.empty()) message.add_text(ModelProto::kProducerNameFieldNumber, model_.producer_name);
    if (!model_.producer_version.empty()) {
      message.add_text(ModelProto::kProducerVersionFieldNumber, model_.producer_version);
    }
    message.add_message(ModelProto::kGraphFieldNumber, encode_main_graph());
    for (const Opset& opset : model_.opsets) {
      Message import;
      import.add_text(onnx::OperatorSetIdProto::kDomainFieldNumber, opset.domain);
      import.add_integer(onnx::OperatorSetIdProto::kVersionFieldNumber, opset.version);
      message.add_message(ModelProto::kOpsetImportFieldNumber, import);
    }
    for (const auto& [key, value] : model_.metadata) {
      message.add_message(ModelProto::kMetadataPropsFieldNumber, encode_pair(key, value));
    }
    return {std::move(message), std::move(external_)};
  }

 private:
  Message encode_main_graph() {
    Message message = encode_graph(model_.graph, true);
    // Up to IR version 3 an initializer is the default of an input, and must be listed as one.
    if (model_.ir_version < 4) {
      for (const Tensor& tensor : model_.graph.initializers) {
        if (!is_left_out(tensor)) message.add_message(GraphProto::kInputFieldNumber, encode_value(value_of(tensor)));
      }
    }
    for (const Value& value : left_out_) message.add_message(GraphProto::kInputFieldNumber, encode_value(value));
    return message;
  }

  Message encode_graph(const Graph& graph, bool is_main) {
    Message message;
    for (const Node& node : graph.nodes) {
      if (!leave_out_constant(node)) message.add_message(GraphProto::kNodeFieldNumber, encode_node(node));
    }
    message.add_text(GraphProto::kNameFieldNumber, graph.name);
    for (const Tensor& tensor : graph.initializers) {
      if (is_left_out(tensor)) {
        left_out_.push_back(value_of(tensor));
      } else {
        const bool external = is_main && is_external(tensor);
        message.add_message(GraphProto::kInitializerFieldNumber,
                            external ? encode_external_tensor(tensor) : encode_tensor(tensor));
      }
    }
    add_values(message, GraphProto::kInputFieldNumber, graph.inputs);
    add_values(message, GraphProto::kOutputFieldNumber, graph.outputs);
    add_values(message, GraphProto::kValueInfoFieldNumber, graph.values);
    return message;
  }

  static void add_values(Message& message, int field, const std::vector<Value>& values) {
    for (const Value& value : values) message.add_message(field, encode_value(value));
  }

  // Also one whose values could not be read: a check goes on without them.
  static bool is_large_or_without_values(const Tensor& tensor) {
    if (tensor.source.data.size() >= kLargeTensorBytes) return true;
    return tensor.source.data.empty() && element_count(tensor.shape) != 0;
  }

  bool is_external(const Tensor& tensor) const {
    return place_ == WeightPlace::external_file && tensor.type != ElementType::string &&
           streamed_bytes(tensor) >= kLargeTensorBytes;
  }

  bool is_left_out(const Tensor& tensor) const {
    return place_ == WeightPlace::left_out && is_large_or_without_values(tensor);
  }

  // A Constant node with a large value is left out like an initializer.
  bool leave_out_constant(const Node& node) {
    if (node.op != "Constant" || node.attributes.size() != 1 || node.outputs.size() != 1) return false;
    const auto* const tensor = std::get_if<Tensor>(&node.attributes.front().second);
    if (tensor == nullptr || !is_left_out(*tensor)) return false;
    Value value = value_of(*tensor);
    value.name = node.outputs.front();
    left_out_.push_back(std::move(value));
    return true;
  }

  Message encode_external_tensor(const Tensor& tensor) {
    const std::uint64_t size = streamed_bytes(tensor);
    const std::uint64_t offset = (external_end_ + kExternalAlignment - 1) / kExternalAlignment * kExternalAlignment;
    external_end_ = checked::add(offset, size, "the size of the external data");
    external_.push_back({&tensor, offset});

    Message message = encode_tensor_header(tensor);
    constexpr int kField = TensorProto::kExternalDataFieldNumber;
    message.add_message(kField, encode_pair("location", location_));
    message.add_message(kField, encode_pair("offset", std::to_string(offset)));
    message.add_message(kField, encode_pair("length", std::to_string(size)));
    message.add_integer(TensorProto::kDataLocationFieldNumber, TensorProto::EXTERNAL);
    return message;
  }

  Message encode_node(const Node& node) {
    Message message;
    for (const std::string& input : node.inputs) message.add_text(NodeProto::kInputFieldNumber, input);
    for (const std::string& output : node.outputs) message.add_text(NodeProto::kOutputFieldNumber, output);
    const std::string node_name = place_ == WeightPlace::left_out ? describe(node) : node.name;
    if (!node_name.empty()) message.add_text(NodeProto::kNameFieldNumber, node_name);
    message.add_text(NodeProto::kOpTypeFieldNumber, node.op);
    for (const auto& [name, attribute] : node.attributes) {
      message.add_message(NodeProto::kAttributeFieldNumber, encode_attribute(name, attribute));
    }
    if (!node.domain.empty()) message.add_text(NodeProto::kDomainFieldNumber, node.domain);
    return message;
  }

  Message encode_attribute(const std::string& name, const Attribute& attribute) {
    Message message;
    message.add_text(AttributeProto::kNameFieldNumber, name);
    const auto type = std::visit([&](const auto& value) { return add_attribute_value(message, value); }, attribute);
    message.add_integer(AttributeProto::kTypeFieldNumber, type);
    return message;
  }

  using AttributeType = onnx::AttributeProto_AttributeType;

  static AttributeType add_attribute_value(Message& message, std::int64_t value) {
    message.add_integer(AttributeProto::kIFieldNumber, value);
    return AttributeProto::INT;
  }
  static AttributeType add_attribute_value(Message& message, float value) {
    message.add_float(AttributeProto::kFFieldNumber, value);
    return AttributeProto::FLOAT;
  }
  static AttributeType add_attribute_value(Message& message, const std::string& value) {
    message.add_text(AttributeProto::kSFieldNumber, value);
    return AttributeProto::STRING;
  }
  static AttributeType add_attribute_value(Message& message, const std::vector<std::int64_t>& values) {
    for (const std::int64_t value : values) message.add_integer(AttributeProto::kIntsFieldNumber, value);
    return AttributeProto::INTS;
  }
  static AttributeType add_attribute_value(Message& message, const std::vector<float>& values) {
    for (const float value : values) message.add_float(AttributeProto::kFloatsFieldNumber, value);
    return AttributeProto::FLOATS;
  }
  static AttributeType add_attribute_value(Message& message, const std::vector<std::string>& values) {
    for (const std::string& value : values) message.add_text(AttributeProto::kStringsFieldNumber, value);
    return AttributeProto::STRINGS;
  }
  static AttributeType add_attribute_value(Message& message, const Tensor& value) {
    message.add_message(AttributeProto::kTFieldNumber, encode_tensor(value));
    return AttributeProto::TENSOR;
  }
  AttributeType add_attribute_value(Message& message, const std::shared_ptr<const Graph>& value) {
    message.add_message(AttributeProto::kGFieldNumber, encode_graph(*value, false));
    return AttributeProto::GRAPH;
  }

  const Model& model_;
  WeightPlace place_;
  const std::string& location_;
  std::vector<ExternalWeight> external_;
  std::uint64_t external_end_ = 0;
  std::vector<Value> left_out_;
};

class StringSink : public ByteSink {
 public:
  explicit StringSink(std::string& out) : out_(out) {}
  void write_stable(std::span<const std::byte> bytes) override {
    out_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  std::span<std::byte> block() override {
    block_.resize(kBlockBytes / sizeof(std::uint64_t));
    return std::as_writable_bytes(std::span(block_));
  }
  void write_block(std::size_t size) override { write_stable(block().first(size)); }

 private:
  std::string& out_;
  std::vector<std::uint64_t> block_;
};

}  // namespace

EncodedModel encode_model(const Model& model, WeightPlace place, const std::string& location) {
  return Encoder(model, place, location).encode();
}

std::string to_bytes(const Message& message) {
  std::string bytes;
  StringSink sink(bytes);
  stream_message(message, sink);
  return bytes;
}

}  // namespace berth::graph
