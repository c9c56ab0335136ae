// Activations by the names that Transformers gives them (ACT2FN), each as a few ONNX nodes.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "encoder/graph_builder.h"

namespace berth::encoder {

struct ActivationRow {
  std::string_view name;  // "gelu"
  // Appends the nodes below `scope` and returns the value that holds f(x).
  std::string (*build)(GraphBuilder& builder, const std::string& scope, const std::string& x);
};

[[nodiscard]] std::span<const ActivationRow> activations();

// Null for a name that has no row.
[[nodiscard]] const ActivationRow* find_activation(std::string_view name);

}  // namespace berth::encoder
