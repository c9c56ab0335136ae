// The blocks of an encoder in double precision; loops over tokens, rows of weights or heads are shared by threads.
#include "encoder/reference_blocks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "berth/error.h"
#include "encoder/reference_threads.h"

namespace berth::encoder::reference {
namespace {

constexpr std::size_t kPanelRows = 8;  // rows of weights widened together: what fits a core's cache beside the tokens

// What a hidden token's score becomes. Transformers adds float's lowest number to the score, next to which the score is
// lost to rounding, in float as in double: so a query that sees some tokens gives hidden ones no weight, and one that
// sees none weighs all alike.
constexpr double kHiddenScore = std::numeric_limits<float>::lowest();

void normalize(std::span<double> row, std::span<const double> gain, std::span<const double> shift, double epsilon) {
  const auto count = static_cast<double>(row.size());
  const double mean = std::accumulate(row.begin(), row.end(), 0.0) / count;
  double variance = 0;
  for (const double value : row) variance += (value - mean) * (value - mean);
  variance /= count;
  const double deviation = std::sqrt(variance + epsilon);
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = (row[i] - mean) / deviation * gain[i] + shift[i];
}

void softmax(std::span<double> row) {
  const double highest = *std::max_element(row.begin(), row.end());
  double sum = 0;
  for (double& value : row) {
    value = std::exp(value - highest);
    sum += value;
  }
  for (double& value : row) value /= sum;
}

struct HeadBuffers {
  HeadBuffers(std::size_t tokens, std::size_t width) : weights(tokens, tokens), value_columns(width, tokens) {}
  Matrix weights;        // [query token, key token]
  Matrix value_columns;  // V transposed, so that the second product too runs along rows
};

void attend(Rows query, Rows key, Rows value, std::span<const std::int64_t> mask, HeadBuffers& buffers,
            MutableRows out) {
  multiply_transposed(query, key, buffers.weights.view());
  const double scale = 1 / std::sqrt(static_cast<double>(query.columns));
  for (std::size_t i = 0; i < query.rows; ++i) {
    const std::span<double> scores = buffers.weights[i];
    for (std::size_t j = 0; j < scores.size(); ++j) scores[j] = mask[j] == 0 ? kHiddenScore : scores[j] * scale;
    softmax(scores);
  }
  for (std::size_t token = 0; token < value.rows; ++token) {
    for (std::size_t i = 0; i < value.columns; ++i) buffers.value_columns[i][token] = value[token][i];
  }
  multiply_transposed(buffers.weights.view(), buffers.value_columns.view(), out);
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
  return dense(model, input, model.weight(weight_of(module)), model.vector(bias_of(module)));
}

void layer_norm(const Model& model, MutableRows rows, std::string_view module) {
  const std::vector<double> gain = model.vector(weight_of(module));
  const std::vector<double> shift = model.vector(bias_of(module));
  for (std::size_t i = 0; i < rows.rows; ++i) normalize(rows[i], gain, shift, model.config.layer_norm_eps);
}

void activate(const Model& model, MutableRows rows, Activation activation) {
  share(rows.rows, model.threads, [&](TaskQueue& queue) {
    while (const auto row = queue.take()) {
      for (double& value : rows[*row]) value = activation(value);
    }
  });
}

void add(MutableRows to, Rows other) {
  for (std::size_t i = 0; i < to.rows; ++i) {
    for (std::size_t j = 0; j < to.columns; ++j) to[i][j] += other[i][j];
  }
}

Matrix attention(const Model& model, Rows query, Rows key, Rows value, std::span<const std::int64_t> mask) {
  const auto heads = static_cast<std::size_t>(model.config.heads);
  const std::size_t width = query.columns / heads;
  Matrix result(query.rows, query.columns);
  share(heads, model.threads, [&](TaskQueue& queue) {
    HeadBuffers buffers(query.rows, width);
    while (const auto head = queue.take()) {
      const std::size_t first = *head * width;
      attend(query.columns_from(first, width), key.columns_from(first, width), value.columns_from(first, width), mask,
             buffers, result.view().columns_from(first, width));
    }
  });
  return result;
}

}  // namespace berth::encoder::reference
