// Hendrycks and Gimpel 2016 (GELU and its two approximations), Ramachandran et al. 2017 (swish), Misra 2019 (mish);
// which name means which formula is Transformers' table.
#include "encoder/reference_activation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "berth/error.h"

namespace berth::encoder::reference {
namespace {

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// x · Φ(x), Φ being the normal distribution's cumulative function.
double gelu(double x) { return x * std::erfc(-x / std::numbers::sqrt2) / 2; }

double clipped_gelu(double x) { return std::clamp(gelu(x), -10.0, 10.0); }

double tanh_gelu(double x) {
  const double kSqrtTwoOverPi = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
  return x / 2 * (1 + std::tanh(kSqrtTwoOverPi * (x + 0.044715 * x * x * x)));
}

double sigmoid_gelu(double x) { return x * sigmoid(1.702 * x); }

double relu(double x) { return std::max(x, 0.0); }

double silu(double x) { return x * sigmoid(x); }

double mish(double x) { return x * std::tanh(std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)))); }

double tanh_of(double x) { return std::tanh(x); }

struct ActivationRow {
  std::string_view name;
  Activation function;
};

constexpr std::array<ActivationRow, 15> kActivations{{{"gelu", gelu},
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
                                                      {"tanh", tanh_of}}};

}  // namespace

Activation activation_named(std::string_view name, const std::string& where) {
  for (const ActivationRow& row : kActivations) {
    if (row.name == name) return row.function;
  }
  std::string known;
  for (const ActivationRow& row : kActivations) known += (known.empty() ? "" : ", ") + std::string(row.name);
  throw Error(ErrorKind::unsupported, where + ": hidden_act",
              "is \"" + std::string(name) + "\", expected one of " + known);
}

std::vector<std::string_view> activation_names() {
  std::vector<std::string_view> names;
  for (const ActivationRow& row : kActivations) names.push_back(row.name);
  return names;
}

}  // namespace berth::encoder::reference
