// One operator a function, with the opset's own form where it has one.
#include "encoder/operators.h"

#include <utility>

namespace berth::encoder {
namespace {

using Integers = std::vector<std::int64_t>;

constexpr std::int64_t kLastAxis = -1;

// A constant's name from its values, so that equal ones are one initializer.
std::string integers(GraphBuilder& builder, Integers values) {
  std::string name = "int64";
  for (const std::int64_t value : values) name += "_" + std::to_string(value);
  return builder.vector(name, std::move(values));
}

// The definition, for opsets without the operator.
std::string spelled_out_norm(GraphBuilder& builder, const std::string& scope, const std::string& x,
                             const std::string& gain, const std::string& shift, float epsilon) {
  const Attributes over_last{{"axes", Integers{kLastAxis}}, {"keepdims", std::int64_t{1}}};
  const std::string mean = builder.add("ReduceMean", scope, {x}, over_last);
  const std::string centred = builder.add("Sub", scope, {x, mean});
  const std::string squared = builder.add("Pow", scope, {centred, builder.scalar("two", 2.0F)});
  const std::string variance = builder.add("ReduceMean", scope, {squared}, over_last);
  const std::string stabilized =
      builder.add("Add", scope, {variance, builder.scalar("layer_norm_eps", epsilon)});
  const std::string normal = builder.add("Div", scope, {centred, builder.add("Sqrt", scope, {stabilized})});
  const std::string scaled = builder.add("Mul", scope, {normal, gain});
  return shift.empty() ? scaled : builder.add("Add", scope, {scaled, shift});
}

}  // namespace

std::string unsqueeze(GraphBuilder& builder, const std::string& scope, const std::string& x, Integers axes) {
  if (builder.opset() < kOpsetOfAxesInputs) return builder.add("Unsqueeze", scope, {x}, {{"axes", std::move(axes)}});
  return builder.add("Unsqueeze", scope, {x, integers(builder, std::move(axes))});
}

std::string reduce_sum(GraphBuilder& builder, const std::string& scope, const std::string& x, std::int64_t axis) {
  if (builder.opset() < kOpsetOfAxesInputs) {
    return builder.add("ReduceSum", scope, {x}, {{"axes", Integers{axis}}, {"keepdims", std::int64_t{1}}});
  }
  return builder.add("ReduceSum", scope, {x, integers(builder, {axis})}, {{"keepdims", std::int64_t{1}}});
}

std::vector<std::string> split_last(GraphBuilder& builder, const std::string& scope, const std::string& x,
                                    std::size_t parts, std::int64_t width) {
  Integers sizes(parts, width);
  if (builder.opset() < kOpsetOfAxesInputs) {
    return builder.add_several("Split", scope, {x}, parts, {{"axis", kLastAxis}, {"split", std::move(sizes)}});
  }
  return builder.add_several("Split", scope, {x, integers(builder, std::move(sizes))}, parts, {{"axis", kLastAxis}});
}

std::string dimension(GraphBuilder& builder, const std::string& scope, const std::string& x, std::int64_t axis) {
  if (builder.opset() >= kOpsetOfShapeRanges) {
    return builder.add("Shape", scope, {x}, {{"start", axis}, {"end", axis + 1}});
  }
  return builder.add("Gather", scope, {builder.add("Shape", scope, {x}), integers(builder, {axis})});
}

std::string cast(GraphBuilder& builder, const std::string& scope, const std::string& x, graph::ElementType to) {
  return builder.add("Cast", scope, {x}, {{"to", static_cast<std::int64_t>(to)}});
}

std::string layer_normalization(GraphBuilder& builder, const std::string& scope, const std::string& x,
                                const std::string& gain, const std::string& shift, float epsilon) {
  if (builder.opset() < kOpsetOfLayerNormalization) return spelled_out_norm(builder, scope, x, gain, shift, epsilon);
  std::vector<std::string> inputs{x, gain};
  if (!shift.empty()) inputs.push_back(shift);
  return builder.add("LayerNormalization", scope, std::move(inputs), {{"axis", kLastAxis}, {"epsilon", epsilon}});
}

}  // namespace berth::encoder
