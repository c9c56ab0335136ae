// Hendrycks and Gimpel 2016 (GELU, exact and by tanh or sigmoid), Ramachandran et al. 2017 (swish), Misra 2019 (mish).
// Where the opset has an operator for one, that is it; else it is put together of smaller ones.
#include "encoder/activations.h"

#include <algorithm>
#include <array>
#include <numbers>

#include "encoder/operators.h"

namespace berth::encoder {
namespace {

std::string one(GraphBuilder& builder) { return builder.scalar("one", 1.0F); }
std::string half(GraphBuilder& builder) { return builder.scalar("half", 0.5F); }

// x/2 · (1 + erf(x / √2))
std::string gelu(GraphBuilder& builder, const std::string& scope, const std::string& x) {
  if (builder.opset() >= kOpsetOfGelu) return builder.add("Gelu", scope, {x}, {{"approximate", std::string("none")}});
  const std::string scaled = builder.add("Div", scope, {x, builder.scalar("sqrt_two", std::numbers::sqrt2_v<float>)});
  const std::string erf = builder.add("Erf", scope, {scaled});
  const std::string shifted = builder.add("Add", scope, {erf, one(builder)});
  const std::string product = builder.add("Mul", scope, {x, shifted});
  return builder.add("Mul", scope, {product, half(builder)});
}

std::string clipped_gelu(GraphBuilder& builder, const std::string& scope, const std::string& x) {
  return builder.add("Clip", scope,
                     {gelu(builder, scope, x), builder.scalar("gelu_low", -10.0F), builder.scalar("gelu_high", 10.0F)});
}

// x/2 · (1 + tanh(√(2/π) · (x + 0.044715 x³)))
std::string tanh_gelu(GraphBuilder& builder, const std::string& scope, const std::string& x) {
  if (builder.opset() >= kOpsetOfGelu) return builder.add("Gelu", scope, {x}, {{"approximate", std::string("tanh")}});
  constexpr float kSqrtTwoOverPi = std::numbers::sqrt2_v<float> * std::numbers::inv_sqrtpi_v<float>;
  const std::string cube = builder.add("Pow", scope, {x, builder.scalar("three", 3.0F)});
  const std::string bent = builder.add("Mul", scope, {cube, builder.scalar("gelu_cubic", 0.044715F)});
  const std::string sum = builder.add("Add", scope, {x, bent});
  const std::string scaled = builder.add("Mul", scope, {sum, builder.scalar("sqrt_two_over_pi", kSqrtTwoOverPi)});
  const std::string tanh = builder.add("Tanh", scope, {scaled});
  const std::string shifted = builder.add("Add", scope, {tanh, one(builder)});
  const std::string halved = builder.add("Mul", scope, {x, half(builder)});
  return builder.add("Mul", scope, {halved, shifted});
}

// x · σ(1.702 x)
std::string sigmoid_gelu(GraphBuilder& builder, const std::string& scope, const std::string& x) {
  const std::string scaled = builder.add("Mul", scope, {x, builder.scalar("gelu_sigmoid_scale", 1.702F)});
  return builder.add("Mul", scope, {x, builder.add("Sigmoid", scope, {scaled})});
}

std::string silu(GraphBuilder& builder, const std::string& scope, const std::string& x) {
  return builder.add("Mul", scope, {x, builder.add("Sigmoid", scope, {x})});
}

std::string mish(GraphBuilder& builder, const std::string& scope, const std::string& x) {
  const std::string softplus = builder.add("Softplus", scope, {x});
  return builder.add("Mul", scope, {x, builder.add("Tanh", scope, {softplus})});
}

std::string relu(GraphBuilder& builder, const std::string& scope, const std::string& x) {
  return builder.add("Relu", scope, {x});
}

std::string sigmoid(GraphBuilder& builder, const std::string& scope, const std::string& x) {
  return builder.add("Sigmoid", scope, {x});
}

std::string tanh(GraphBuilder& builder, const std::string& scope, const std::string& x) {
  return builder.add("Tanh", scope, {x});
}

constexpr auto kActivations = std::to_array<ActivationRow>({
    {"gelu", gelu},
    {"gelu_python", gelu},
    {"gelu_10", clipped_gelu},
    {"gelu_new", tanh_gelu},
    {"gelu_fast", tanh_gelu},
    {"gelu_accurate", tanh_gelu},
    {"gelu_pytorch_tanh", tanh_gelu},
    {"gelu_python_tanh", tanh_gelu},
    {"quick_gelu", sigmoid_gelu},
    {"relu", relu},
    {"silu", silu},
    {"swish", silu},
    {"mish", mish},
    {"sigmoid", sigmoid},
    {"tanh", tanh},
});

}  // namespace

std::span<const ActivationRow> activations() { return kActivations; }

const ActivationRow* find_activation(std::string_view name) {
  const auto* const found = std::find_if(kActivations.begin(), kActivations.end(),
                                         [&](const ActivationRow& row) { return row.name == name; });
  return found == kActivations.end() ? nullptr : found;
}

}  // namespace berth::encoder
