// The blocks of an encoder as the papers write them: dense layer, layer normalization (Ba et al. 2016), activation.
// Rows are tokens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "berth/encoder.h"
#include "encoder/family.h"
#include "encoder/reference_activation.h"
#include "encoder/reference_matrix.h"

namespace berth::encoder::reference {

// What a run reads: nothing of it changes. Of the family only the names of its tensors are used.
struct Model {
  const checkpoint::EncoderConfig& config;
  const Family& family;
  const Weights& weights;
  std::size_t threads;

  [[nodiscard]] bool has(std::string_view tensor) const { return weights.contains(tensor); }
  [[nodiscard]] const TensorView& weight(std::string_view tensor) const;    // Error{internal} when not bound
  [[nodiscard]] std::vector<double> vector(std::string_view tensor) const;  // all its values
};

// x·Wᵀ + b, W being [outputs, inputs]. W is widened a few rows at a time, once for all tokens, so that a run
// never holds the weights in double precision.
[[nodiscard]] Matrix dense(const Model& model, Rows input, const TensorView& weight, std::span<const double> bias);
[[nodiscard]] Matrix dense(const Model& model, Rows input, std::string_view module);  // its weight, and bias if it has one

// Each row to mean 0 and variance 1 (of its values, not of a sample), then times the module's weight plus its bias; in
// place.
void layer_norm(const Model& model, MutableRows rows, std::string_view module);

// By the name of an activation, which is the config's or a row's.
void activate(const Model& model, MutableRows rows, std::string_view activation);

void add(MutableRows to, Rows other);
[[nodiscard]] Matrix copy_of(Rows rows);

}  // namespace berth::encoder::reference
