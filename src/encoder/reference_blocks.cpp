// The blocks of an encoder in double precision; loops over tokens, rows of weights or heads are shared by threads.
#include "encoder/reference_blocks.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "berth/error.h"
#include "encoder/reference_threads.h"

namespace berth::encoder::reference {
namespace {

constexpr std::size_t kPanelRows = 8;  // rows of weights widened together: what fits a core's cache beside the tokens

void normalize(std::span<double> row, std::span<const double> gain, std::span<const double> shift, double epsilon) {
  const auto count = static_cast<double>(row.size());
  const double mean = std::accumulate(row.begin(), row.end(), 0.0) / count;
  double variance = 0;
  for (const double value : row) variance += (value - mean) * (value - mean);
  variance /= count;
  const double deviation = std::sqrt(variance + epsilon);
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = (row[i] - mean) / deviation * gain[i] + shift[i];
}

}  // namespace

const TensorView& Model::weight(std::string_view tensor) const {
  const auto found = weights.find(tensor);
  if (found == weights.end()) {
    throw Error(ErrorKind::internal, std::string(tensor), "is not among the tensors bound for this head");
  }
  return found->second;
}

std::vector<double> Model::vector(std::string_view tensor) const {
  const TensorView& view = weight(tensor);
  std::vector<double> values(static_cast<std::size_t>(element_count(view.shape)));
  widen(view, 0, static_cast<std::int64_t>(values.size()), values.data());
  return values;
}

Matrix dense(const Model& model, Rows input, const TensorView& weight, std::span<const double> bias) {
  const auto outputs = static_cast<std::size_t>(weight.shape.at(0));
  Matrix result(input.rows, outputs);
  share((outputs + kPanelRows - 1) / kPanelRows, model.threads, [&](TaskQueue& queue) {
    Matrix panel(kPanelRows, input.columns);
    while (const auto task = queue.take()) {
      const std::size_t first = *task * kPanelRows;
      const std::size_t count = std::min(kPanelRows, outputs - first);
      widen(weight, static_cast<std::int64_t>(first * input.columns), static_cast<std::int64_t>(count * input.columns),
            panel.values.data());
      const MutableRows out = result.view().columns_from(first, count);
      multiply_transposed(input, {panel.values.data(), count, input.columns, input.columns}, out);
      for (std::size_t token = 0; token < out.rows; ++token) {
        for (std::size_t i = 0; i < count; ++i) out[token][i] += bias[first + i];
      }
    }
  });
  return result;
}

Matrix dense(const Model& model, Rows input, std::string_view module) {
  const TensorView& weight = model.weight(weight_of(module));
  const std::string bias = bias_of(module);
  if (model.has(bias)) return dense(model, input, weight, model.vector(bias));
  return dense(model, input, weight, std::vector<double>(static_cast<std::size_t>(weight.shape.at(0)), 0.0));
}

void layer_norm(const Model& model, MutableRows rows, std::string_view module) {
  const std::vector<double> gain = model.vector(weight_of(module));
  const std::string bias = bias_of(module);
  const std::vector<double> shift = model.has(bias) ? model.vector(bias) : std::vector<double>(gain.size(), 0.0);
  for (std::size_t i = 0; i < rows.rows; ++i) normalize(rows[i], gain, shift, model.config.layer_norm_eps);
}

void activate(const Model& model, MutableRows rows, std::string_view activation) {
  const Activation function = activation_named(activation, model.config.path);
  share(rows.rows, model.threads, [&](TaskQueue& queue) {
    while (const auto row = queue.take()) {
      for (double& value : rows[*row]) value = function(value);
    }
  });
}

void add(MutableRows to, Rows other) {
  for (std::size_t i = 0; i < to.rows; ++i) {
    for (std::size_t j = 0; j < to.columns; ++j) to[i][j] += other[i][j];
  }
}

Matrix copy_of(Rows rows) {
  Matrix copy(rows.rows, rows.columns);
  add(copy.view(), rows);
  return copy;
}

}  // namespace berth::encoder::reference
