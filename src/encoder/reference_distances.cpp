// Distances as loops over pairs of tokens. The two rules that put distances into buckets are those of T5 and of
// DeBERTa's code; their logarithms are in single precision there, and a bucket's edge depends on it, so here too.
#include "encoder/reference_distances.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

namespace berth::encoder::reference {
namespace {

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

Matrix whole(const Model& model, std::string_view tensor) {
  const TensorView& view = model.weight(tensor);
  Matrix matrix(static_cast<std::size_t>(view.shape.at(0)), static_cast<std::size_t>(view.shape.at(1)));
  matrix.values = model.vector(tensor);
  return matrix;
}

std::int64_t distance_of(std::size_t i, std::size_t j) {
  return static_cast<std::int64_t>(i) - static_cast<std::int64_t>(j);
}

// T5's buckets: half for each direction; small distances have their own, larger ones share by the logarithm up to 128.
std::int64_t t5_bucket(std::int64_t distance) {
  std::int64_t bucket = 0;
  const std::int64_t count = 16;
  if (distance < 0) bucket = count;
  const std::int64_t magnitude = distance < 0 ? -distance : distance;
  const std::int64_t own = count / 2;
  if (magnitude < own) return bucket + magnitude;
  const float position = std::log(static_cast<float>(magnitude) / static_cast<float>(own));
  const float share = position / static_cast<float>(std::log(128.0 / static_cast<double>(own)));
  const std::int64_t step = static_cast<std::int64_t>(share * static_cast<float>(count - own));
  return bucket + std::min<std::int64_t>(own + step, count - 1);
}

// DeBERTa's: linear up to the middle, then by the logarithm, so that max_distance - 1 lands on 2 · middle - 1.
std::int64_t deberta_bucket(const checkpoint::DisentangledAttention& own, std::int64_t distance) {
  const std::int64_t middle = own.buckets / 2;
  if (own.buckets <= 0 || (distance <= middle && distance >= -middle)) return distance;
  const auto magnitude = static_cast<float>(std::abs(distance));
  const auto center = static_cast<float>(middle);
  const float end = std::log(static_cast<float>(static_cast<double>(own.max_distance - 1) / static_cast<double>(middle)));
  const float step = std::ceil(std::log(magnitude / center) / end * static_cast<float>(middle - 1));
  const std::int64_t bucket = static_cast<std::int64_t>(step) + middle;
  return distance > 0 ? bucket : -bucket;
}

// The embeddings of distances through one of a layer's dense layers.
std::shared_ptr<const Matrix> projected(const Model& model, const std::string& module, const Matrix& rows) {
  return std::make_shared<const Matrix>(dense(model, rows.view(), module));
}

}  // namespace

void add_distance_vectors(const Model& model, const std::string& prefix, bool with_keys, Scoring& scoring) {
  auto table = std::make_shared<const Matrix>(whole(model, prefix + std::string(model.family.layer.distances)));
  const double scale = model.family.relative_key_unscaled ? 1 : scoring.scale;
  const std::int64_t middle = model.config.max_positions - 1;
  scoring.add = [table, scale, middle, with_keys](std::size_t, Rows query, Rows key, MutableRows scores) {
    for (std::size_t i = 0; i < scores.rows; ++i) {
      for (std::size_t j = 0; j < scores.columns; ++j) {
        const auto vector = table->view()[static_cast<std::size_t>(distance_of(i, j) + middle)];
        double sum = dot(query[i], vector);
        if (with_keys) sum += dot(key[j], vector);
        scores[i][j] += sum * scale;
      }
    }
  };
}

void add_bucket_bias(const Model& model, Scoring& scoring) {
  auto table = std::make_shared<const Matrix>(whole(model, model.family.encoder.relative_bias));
  scoring.add = [table](std::size_t head, Rows, Rows, MutableRows scores) {
    for (std::size_t i = 0; i < scores.rows; ++i) {
      for (std::size_t j = 0; j < scores.columns; ++j) {
        const auto bucket = static_cast<std::size_t>(t5_bucket(distance_of(i, j)));
        scores[i][j] += table->view()[bucket][head];
      }
    }
  };
}

void disentangle(const Model& model, const std::string& prefix, const ReferenceInput& input, Scoring& scoring) {
  const checkpoint::DisentangledAttention& own = *model.config.disentangled;
  const LayerLayout& names = model.family.layer;
  scoring.sees = [&mask = input.mask](std::size_t i, std::size_t j) { return mask[i] != 0 && mask[j] != 0; };
  const int kinds = 1 + static_cast<int>(own.content_to_position) + static_cast<int>(own.position_to_content);
  scoring.scale /= std::sqrt(kinds);
  if (!own.relative || kinds == 1) return;

  Matrix rows = whole(model, model.family.encoder.distances);
  if (own.norm_distances) layer_norm(model, rows.view(), model.family.encoder.distances_norm);
  const auto project = [&](bool used, std::string_view shared, std::string_view separate) {
    const std::string_view module = own.share_keys ? shared : separate;
    return used ? projected(model, prefix + std::string(module), rows) : nullptr;
  };
  const auto keys = project(own.content_to_position, names.key, names.distance_keys);
  const auto queries = project(own.position_to_content, names.query, names.distance_queries);
  const double scale = scoring.scale;
  scoring.add = [keys, queries, scale, &own](std::size_t head, Rows query, Rows key, MutableRows scores) {
    const std::size_t width = query.columns;
    const auto part_of = [&](const Matrix& matrix, std::int64_t row) {
      return matrix.view()[static_cast<std::size_t>(row)].subspan(head * width, width);
    };
    for (std::size_t i = 0; i < scores.rows; ++i) {
      for (std::size_t j = 0; j < scores.columns; ++j) {
        const std::int64_t bucket = deberta_bucket(own, distance_of(i, j));
        const std::int64_t row = std::clamp<std::int64_t>(bucket + own.span(), 0, 2 * own.span() - 1);
        double sum = 0;
        if (keys) sum += dot(query[i], part_of(*keys, row));
        if (queries) sum += dot(key[j], part_of(*queries, row));
        scores[i][j] += sum * scale;
      }
    }
  };
}

void rotate(const Model& model, std::int64_t layer, const ReferenceInput& input, Scoring& scoring) {
  const checkpoint::RotaryAttention& own = *model.config.rotary;
  const bool local = own.local[static_cast<std::size_t>(layer)];
  const double theta = local ? own.local_theta : own.global_theta;
  scoring.turn = [theta](MutableRows rows) {
    const std::size_t half = rows.columns / 2;
    for (std::size_t position = 0; position < rows.rows; ++position) {
      for (std::size_t i = 0; i < half; ++i) {
        const double frequency = 1 / std::pow(theta, static_cast<double>(2 * i) / static_cast<double>(rows.columns));
        const double angle = static_cast<double>(position) * frequency;
        const double x = rows[position][i];
        const double y = rows[position][i + half];
        rows[position][i] = x * std::cos(angle) - y * std::sin(angle);
        rows[position][i + half] = y * std::cos(angle) + x * std::sin(angle);
      }
    }
  };
  if (!local) return;
  scoring.sees = [&mask = input.mask, reach = own.window / 2](std::size_t i, std::size_t j) {
    return mask[j] != 0 && std::abs(distance_of(i, j)) <= reach;
  };
}

}  // namespace berth::encoder::reference
