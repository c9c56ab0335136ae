// One table says which fields of which messages are kept; everything else of the file is passed over. Limits keep what
// protobuf builds from the rest within bounds whatever the file says.
#include "graph/skim.h"

#include <cstring>
#include <onnx/onnx_pb.h>

#include "berth/error.h"
#include "graph/encode.h"
#include "graph/wire_writer.h"

namespace berth::graph {
namespace {

constexpr int kMaxDepth = 96;                                // protobuf stops at 100
constexpr std::uint64_t kMaxParts = std::uint64_t{1} << 20;  // names and messages; BERT-base has some 20,000
constexpr std::uint64_t kMaxStructureBytes = std::uint64_t{64} << 20;

enum class Kind { model, graph, node, attribute, function, value, type, tensor_type, shape, tensor, none };
enum class Action {
  copy,     // as it stands
  descend,  // the same for its fields
  empty,    // the field without its content: enough to refuse it by name
};

struct Rule {
  Kind parent;
  int field;
  Action action;
  Kind child;
};

#define FIELD(message, field) onnx::message::k##field##FieldNumber
constexpr Rule kRules[] = {
    {Kind::model, FIELD(ModelProto, IrVersion), Action::copy, Kind::none},
    {Kind::model, FIELD(ModelProto, ProducerName), Action::copy, Kind::none},
    {Kind::model, FIELD(ModelProto, ProducerVersion), Action::copy, Kind::none},
    {Kind::model, FIELD(ModelProto, Graph), Action::descend, Kind::graph},
    {Kind::model, FIELD(ModelProto, OpsetImport), Action::copy, Kind::none},
    {Kind::model, FIELD(ModelProto, MetadataProps), Action::copy, Kind::none},
    {Kind::model, FIELD(ModelProto, Functions), Action::descend, Kind::function},
    {Kind::graph, FIELD(GraphProto, Node), Action::descend, Kind::node},
    {Kind::graph, FIELD(GraphProto, Name), Action::copy, Kind::none},
    {Kind::graph, FIELD(GraphProto, Initializer), Action::descend, Kind::tensor},
    {Kind::graph, FIELD(GraphProto, SparseInitializer), Action::empty, Kind::none},
    {Kind::graph, FIELD(GraphProto, Input), Action::descend, Kind::value},
    {Kind::graph, FIELD(GraphProto, Output), Action::descend, Kind::value},
    {Kind::graph, FIELD(GraphProto, ValueInfo), Action::descend, Kind::value},
    {Kind::node, FIELD(NodeProto, Input), Action::copy, Kind::none},
    {Kind::node, FIELD(NodeProto, Output), Action::copy, Kind::none},
    {Kind::node, FIELD(NodeProto, Name), Action::copy, Kind::none},
    {Kind::node, FIELD(NodeProto, OpType), Action::copy, Kind::none},
    {Kind::node, FIELD(NodeProto, Domain), Action::copy, Kind::none},
    {Kind::node, FIELD(NodeProto, Overload), Action::copy, Kind::none},
    {Kind::node, FIELD(NodeProto, Attribute), Action::descend, Kind::attribute},
    {Kind::attribute, FIELD(AttributeProto, Name), Action::copy, Kind::none},
    {Kind::attribute, FIELD(AttributeProto, RefAttrName), Action::copy, Kind::none},
    {Kind::attribute, FIELD(AttributeProto, Type), Action::copy, Kind::none},
    {Kind::attribute, FIELD(AttributeProto, F), Action::copy, Kind::none},
    {Kind::attribute, FIELD(AttributeProto, I), Action::copy, Kind::none},
    {Kind::attribute, FIELD(AttributeProto, S), Action::copy, Kind::none},
    {Kind::attribute, FIELD(AttributeProto, T), Action::descend, Kind::tensor},
    {Kind::attribute, FIELD(AttributeProto, G), Action::descend, Kind::graph},
    {Kind::attribute, FIELD(AttributeProto, Floats), Action::copy, Kind::none},
    {Kind::attribute, FIELD(AttributeProto, Ints), Action::copy, Kind::none},
    {Kind::attribute, FIELD(AttributeProto, Strings), Action::copy, Kind::none},
    {Kind::attribute, FIELD(AttributeProto, Tensors), Action::empty, Kind::none},
    {Kind::attribute, FIELD(AttributeProto, Graphs), Action::empty, Kind::none},
    {Kind::attribute, FIELD(AttributeProto, SparseTensor), Action::empty, Kind::none},
    {Kind::attribute, FIELD(AttributeProto, SparseTensors), Action::empty, Kind::none},
    {Kind::attribute, FIELD(AttributeProto, Tp), Action::empty, Kind::none},
    {Kind::attribute, FIELD(AttributeProto, TypeProtos), Action::empty, Kind::none},
    {Kind::function, FIELD(FunctionProto, Name), Action::copy, Kind::none},
    {Kind::function, FIELD(FunctionProto, Input), Action::copy, Kind::none},
    {Kind::function, FIELD(FunctionProto, Output), Action::copy, Kind::none},
    {Kind::function, FIELD(FunctionProto, Attribute), Action::copy, Kind::none},
    {Kind::function, FIELD(FunctionProto, AttributeProto), Action::descend, Kind::attribute},
    {Kind::function, FIELD(FunctionProto, Node), Action::descend, Kind::node},
    {Kind::function, FIELD(FunctionProto, OpsetImport), Action::copy, Kind::none},
    {Kind::function, FIELD(FunctionProto, Domain), Action::copy, Kind::none},
    {Kind::function, FIELD(FunctionProto, Overload), Action::copy, Kind::none},
    {Kind::value, FIELD(ValueInfoProto, Name), Action::copy, Kind::none},
    {Kind::value, FIELD(ValueInfoProto, Type), Action::descend, Kind::type},
    {Kind::type, FIELD(TypeProto, TensorType), Action::descend, Kind::tensor_type},
    {Kind::type, FIELD(TypeProto, SequenceType), Action::empty, Kind::none},
    {Kind::type, FIELD(TypeProto, MapType), Action::empty, Kind::none},
    {Kind::type, FIELD(TypeProto, OptionalType), Action::empty, Kind::none},
    {Kind::type, FIELD(TypeProto, SparseTensorType), Action::empty, Kind::none},
    {Kind::type, FIELD(TypeProto, OpaqueType), Action::empty, Kind::none},
    {Kind::tensor_type, FIELD(TypeProto_Tensor, ElemType), Action::copy, Kind::none},
    {Kind::tensor_type, FIELD(TypeProto_Tensor, Shape), Action::descend, Kind::shape},
    {Kind::shape, FIELD(TensorShapeProto, Dim), Action::copy, Kind::none},
};
#undef FIELD

const Rule* find_rule(Kind parent, const Field& field) {
  for (const Rule& rule : kRules) {
    if (rule.parent != parent || rule.field != field.number) continue;
    const bool needs_content = rule.action != Action::copy;
    return needs_content && field.type != WireType::length_delimited ? nullptr : &rule;
  }
  return nullptr;
}

class Skimmer {
 public:
  Skimmer(const WireSource& source, std::vector<std::string>* problems) : source_(source), problems_(problems) {}

  SkimmedModel skim() {
    const Message model = skim_message(Kind::model, source_.bytes, 0);
    return {model.text(), std::move(tensors_)};
  }

 private:
  Message skim_message(Kind kind, std::span<const std::byte> message, int depth) {
    if (depth > kMaxDepth) fail_limit("is nested deeper than " + std::to_string(kMaxDepth) + " messages");
    Message kept;
    Field field;
    for (FieldReader reader(source_, message); reader.next(field);) {
      const Rule* const rule = find_rule(kind, field);
      if (rule == nullptr) continue;
      count(field, rule->action);
      switch (rule->action) {
        case Action::copy: kept.add_encoded_field(field.whole); break;
        case Action::empty: kept.add_text(field.number, {}); break;
        case Action::descend:
          kept.add_message(field.number, rule->child == Kind::tensor
                                             ? skim_tensor(field.content)
                                             : skim_message(rule->child, field.content, depth + 1));
          break;
      }
    }
    return kept;
  }

  Message skim_tensor(std::span<const std::byte> message) {
    StoredTensor tensor = read_tensor(source_, message, problems_);
    Message kept;
    kept.add_text(onnx::TensorProto::kNameFieldNumber, tensor.name);
    const std::uint64_t index = tensors_.size();
    std::string raw(sizeof(index), '\0');
    std::memcpy(raw.data(), &index, sizeof(index));
    kept.add_text(onnx::TensorProto::kRawDataFieldNumber, raw);
    tensors_.push_back(std::move(tensor));
    return kept;
  }

  void count(const Field& field, Action action) {
    if (field.type == WireType::length_delimited && ++parts_ > kMaxParts) {
      fail_limit("has more than " + std::to_string(kMaxParts) + " names, nodes and other parts");
    }
    if (action == Action::copy) structure_bytes_ += field.whole.size();
    if (structure_bytes_ > kMaxStructureBytes) {
      fail_limit("has more than " + std::to_string(kMaxStructureBytes >> 20) + " MiB beside its weights");
    }
  }

  [[noreturn]] void fail_limit(const std::string& message) const {
    throw Error(ErrorKind::limit, source_.name, message, "berth does not read such models");
  }

  const WireSource& source_;
  std::vector<std::string>* problems_;
  std::vector<StoredTensor> tensors_;
  std::uint64_t parts_ = 0;
  std::uint64_t structure_bytes_ = 0;
};

}  // namespace

SkimmedModel skim(const WireSource& source, std::vector<std::string>* problems) {
  return Skimmer(source, problems).skim();
}

std::size_t tensor_index(const std::string& raw_data) {
  std::uint64_t index = 0;
  if (raw_data.size() != sizeof(index)) {
    throw Error(ErrorKind::internal, "", "a tensor lost its place while it was read");
  }
  std::memcpy(&index, raw_data.data(), sizeof(index));
  return static_cast<std::size_t>(index);
}

}  // namespace berth::graph
