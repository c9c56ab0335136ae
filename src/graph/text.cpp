// A graph as lines of text: `%out = MatMul(%a, %b)`. For people who look for a node, and for tests that compare graphs.
#include <fmt/format.h>
#include <span>

#include "berth/graph.h"
#include "graph/convert.h"
#include "graph/names.h"

namespace berth::graph {
namespace {

constexpr std::size_t kMaxShownValues = 8;

std::string text_of(const Dimension& dimension) {
  if (const auto* const size = std::get_if<std::int64_t>(&dimension)) return std::to_string(*size);
  const std::string& name = std::get<std::string>(dimension);
  return name.empty() ? "?" : name;
}

std::string type_text(const Value& value) {
  std::string text = name_of(value.type);
  if (!value.shape) return text + "[…]";
  text += "[";
  for (std::size_t i = 0; i < value.shape->size(); ++i) text += (i != 0 ? ", " : "") + text_of((*value.shape)[i]);
  return text + "]";
}

template <typename Value>
std::string list_text(std::span<const Value> values) {
  const bool cut = values.size() > kMaxShownValues;
  return fmt::format("{}{}", fmt::join(values.first(cut ? kMaxShownValues : values.size()), ", "), cut ? ", …" : "");
}

template <typename Value>
std::string converted_text(const Tensor& tensor, DType to) {
  std::vector<Value> values(static_cast<std::size_t>(element_count(tensor.source.shape)));
  convert(tensor.source, 0, static_cast<std::int64_t>(values.size()), to, reinterpret_cast<std::byte*>(values.data()));
  return " = {" + list_text(std::span<const Value>(values)) + "}";
}

// The values of small constants tell what a graph does; those of weights do not.
std::string values_text(const Tensor& tensor) {
  const std::optional<DType> dtype = dtype_of(tensor.type);
  const bool shown = dtype && !tensor.transposed && !tensor.source.data.empty() &&
                     element_count(tensor.source.shape) <= static_cast<std::int64_t>(kMaxShownValues);
  if (!shown) return "";
  if (can_convert(tensor.source.dtype, DType::i64)) return converted_text<std::int64_t>(tensor, DType::i64);
  return dtype == DType::f64 ? converted_text<double>(tensor, DType::f64) : converted_text<float>(tensor, DType::f32);
}

std::string tensor_text(const Tensor& tensor) {
  return name_of(tensor.type) + to_string(tensor.shape) + values_text(tensor);
}

class Printer {
 public:
  void print(const Graph& graph) {
    for (const Value& input : graph.inputs) line("in %" + input.name + ": " + type_text(input));
    for (const Tensor& tensor : graph.initializers) line("const %" + tensor.name + ": " + tensor_text(tensor));
    for (const Node& node : graph.nodes) print(node);
    for (const Value& output : graph.outputs) line("out %" + output.name + ": " + type_text(output));
  }

  void line(const std::string& content) { text_ += std::string(depth_ * 2, ' ') + content + "\n"; }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  void print(const Node& node) {
    std::string attributes;
    std::vector<const std::pair<std::string, Attribute>*> branches;
    for (const auto& attribute : node.attributes) {
      if (std::holds_alternative<std::shared_ptr<const Graph>>(attribute.second)) {
        branches.push_back(&attribute);
      } else {
        attributes +=
            (attributes.empty() ? " {" : ", ") + attribute.first + "=" + std::visit(AttributeText{}, attribute.second);
      }
    }
    if (!attributes.empty()) attributes += "}";
    const std::string op = node.domain.empty() ? node.op : node.domain + "." + node.op;
    line(names_text(node.outputs) + " = " + op + "(" + names_text(node.inputs) + ")" + attributes);
    for (const auto* const branch : branches) {
      ++depth_;
      line(branch->first + ":");
      ++depth_;
      print(*std::get<std::shared_ptr<const Graph>>(branch->second));
      depth_ -= 2;
    }
  }

  static std::string names_text(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + (name.empty() ? "_" : "%" + name);
    return text;
  }

  struct AttributeText {
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(float value) const { return fmt::format("{}", value); }
    std::string operator()(const std::string& value) const { return in_quotes(value); }
    std::string operator()(const std::vector<std::int64_t>& values) const {
      return "[" + list_text(std::span(values)) + "]";
    }
    std::string operator()(const std::vector<float>& values) const { return "[" + list_text(std::span(values)) + "]"; }
    std::string operator()(const std::vector<std::string>& values) const {
      std::vector<std::string> shown;
      for (const std::string& value : values) shown.push_back(in_quotes(value));
      return "[" + list_text(std::span<const std::string>(shown)) + "]";
    }
    std::string operator()(const Tensor& value) const { return tensor_text(value); }
    std::string operator()(const std::shared_ptr<const Graph>&) const { return ""; }  // printed below its node
  };

  std::string text_;
  std::size_t depth_ = 0;
};

}  // namespace

std::string to_text(const Model& model) {
  Printer printer;
  std::string head = "ir " + std::to_string(model.ir_version);
  for (const Opset& opset : model.opsets) {
    head += ", " + (opset.domain.empty() ? "ai.onnx" : opset.domain) + " " + std::to_string(opset.version);
  }
  printer.line(head);
  printer.print(model.graph);
  return printer.take();
}

}  // namespace berth::graph
