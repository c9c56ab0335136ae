// Attention in double precision, a head at a time.
#include "encoder/reference_attention.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "berth/error.h"
#include "encoder/reference_distances.h"
#include "encoder/reference_threads.h"

namespace berth::encoder::reference {
namespace {

// What a hidden token's score becomes. Transformers adds float's lowest number to the score, next to which the score is
// lost to rounding, in float as in double: so a query that sees some tokens gives hidden ones no weight, and one that
// sees none weighs all alike.
constexpr double kHiddenScore = std::numeric_limits<float>::lowest();

void softmax(std::span<double> row) {
  const double highest = *std::max_element(row.begin(), row.end());
  double sum = 0;
  for (double& value : row) {
    value = std::exp(value - highest);
    sum += value;
  }
  for (double& value : row) value /= sum;
}

Matrix columns_of(Rows rows, std::size_t first, std::size_t count) {
  Matrix part(rows.rows, count);
  add(part.view(), rows.columns_from(first, count));
  return part;
}

void attend(const Matrix& query, const Matrix& key, Rows value, const Scoring& scoring, std::size_t head,
            MutableRows out) {
  Matrix scores(query.rows, key.rows);
  multiply_transposed(query.view(), key.view(), scores.view());
  for (double& score : scores.values) score *= scoring.scale;
  if (scoring.add) scoring.add(head, query.view(), key.view(), scores.view());
  for (std::size_t i = 0; i < scores.rows; ++i) {
    for (std::size_t j = 0; j < scores.columns; ++j) {
      if (!scoring.sees(i, j)) scores[i][j] = kHiddenScore;
    }
    softmax(scores[i]);
  }
  Matrix value_columns(value.columns, value.rows);  // transposed, so that the second product too runs along rows
  for (std::size_t token = 0; token < value.rows; ++token) {
    for (std::size_t i = 0; i < value.columns; ++i) value_columns[i][token] = value[token][i];
  }
  multiply_transposed(scores.view(), value_columns.view(), out);
}

}  // namespace

Scoring scoring_of(const Model& model, const std::string& prefix, std::int64_t layer, const ReferenceInput& input) {
  const double width = static_cast<double>(model.config.hidden_size) / static_cast<double>(model.config.heads);
  Scoring scoring;
  scoring.scale = 1 / std::sqrt(width);
  scoring.sees = [&mask = input.mask](std::size_t, std::size_t j) { return mask[j] != 0; };
  switch (attention_of(model.family, model.config)) {
    case Attention::plain: break;
    case Attention::relative_key: add_distance_vectors(model, prefix, false, scoring); break;
    case Attention::relative_key_query: add_distance_vectors(model, prefix, true, scoring); break;
    case Attention::relative_bias: add_bucket_bias(model, scoring); break;
    case Attention::disentangled: disentangle(model, prefix, input, scoring); break;
    case Attention::rotary: rotate(model, layer, input, scoring); break;
  }
  return scoring;
}

Matrix attention(const Model& model, Rows query, Rows key, Rows value, const Scoring& scoring) {
  const auto heads = static_cast<std::size_t>(model.config.heads);
  const std::size_t width = query.columns / heads;
  Matrix result(query.rows, query.columns);
  share(heads, model.threads, [&](TaskQueue& queue) {
    while (const auto head = queue.take()) {
      const std::size_t first = *head * width;
      Matrix q = columns_of(query, first, width);
      Matrix k = columns_of(key, first, width);
      if (scoring.turn) {
        scoring.turn(q.view());
        scoring.turn(k.view());
      }
      attend(q, k, value.columns_from(first, width), scoring, *head, result.view().columns_from(first, width));
    }
  });
  return result;
}

}  // namespace berth::encoder::reference
