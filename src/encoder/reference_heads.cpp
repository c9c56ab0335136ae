// A head reads all tokens, the first, or their mean, goes through at most two dense layers, and gives its outputs.
#include "encoder/reference_heads.h"

#include <utility>

#include "berth/error.h"

namespace berth::encoder::reference {
namespace {

using Outputs = std::map<std::string, ReferenceTensor>;
using Mask = std::span<const std::int64_t>;

ReferenceTensor as_vector(Matrix row) { return {{static_cast<std::int64_t>(row.columns)}, std::move(row.values)}; }

ReferenceTensor column_of(const Matrix& matrix, std::size_t column) {
  ReferenceTensor tensor{{static_cast<std::int64_t>(matrix.rows)}, {}};
  for (std::size_t i = 0; i < matrix.rows; ++i) tensor.values.push_back(matrix.view()[i][column]);
  return tensor;
}

Matrix first_of(Rows hidden) { return copy_of({hidden.data, 1, hidden.columns, hidden.stride}); }

// Of a text that the mask hides whole, 0.
Matrix mean_of(Rows hidden, Mask mask) {
  Matrix mean(1, hidden.columns);
  double count = 0;
  for (std::size_t token = 0; token < hidden.rows; ++token) {
    if (mask[token] == 0) continue;
    for (std::size_t i = 0; i < hidden.columns; ++i) mean[0][i] += hidden[token][i];
    ++count;
  }
  for (double& value : mean.values) value /= std::max(count, 1.0);
  return mean;
}

Matrix pooled(const Model& model, const HeadLayout& names, Rows hidden, Mask mask) {
  switch (pooling_of(names, model.config)) {
    case Pooling::tokens: return copy_of(hidden);
    case Pooling::first: return first_of(hidden);
    case Pooling::mean: return mean_of(hidden, mask);
  }
  throw Error(ErrorKind::internal, "", "a head pools in an unknown way");
}

Matrix transformed(const Model& model, const HeadLayout& names, Rows x) {
  Matrix result = dense(model, x, names.transform);
  activate(model, result.view(), transform_activation(names, model.config));
  if (!names.transform_norm.empty()) layer_norm(model, result.view(), names.transform_norm);
  return result;
}

// The last dense layer; a tied one's weight is the table of word embeddings.
Matrix decoded(const Model& model, const HeadLayout& names, Rows x) {
  const std::string own = weight_of(names.output);
  const TensorView& weight = model.weight(is_tied(names, model.config) ? model.family.embeddings.words : own);
  const std::string bias = output_bias_of(names);
  const auto outputs = static_cast<std::size_t>(weight.shape.at(0));
  return dense(model, x, weight, model.has(bias) ? model.vector(bias) : std::vector<double>(outputs, 0.0));
}

Outputs no_head(const Model& model, const HeadLayout& names, Rows hidden) {
  Outputs outputs;
  outputs.emplace("last_hidden_state", as_tensor(copy_of(hidden)));
  if (!names.transform.empty() && model.has(weight_of(names.transform))) {
    outputs.emplace("pooler_output", as_vector(transformed(model, names, first_of(hidden).view())));
  }
  return outputs;
}

}  // namespace

ReferenceTensor as_tensor(Matrix matrix) {
  return {{static_cast<std::int64_t>(matrix.rows), static_cast<std::int64_t>(matrix.columns)},
          std::move(matrix.values)};
}

std::map<std::string, ReferenceTensor> head_outputs(const Model& model, Head head, Rows hidden, Mask mask) {
  const HeadLayout* const names = find_head(model.family, model.config, head);
  if (names == nullptr) {
    throw Error(ErrorKind::internal, std::string(row_of(head).task), "is a task that the family has no head for");
  }
  if (head == Head::none) return no_head(model, *names, hidden);
  Matrix x = pooled(model, *names, hidden, mask);
  if (!names->transform.empty()) x = transformed(model, *names, x.view());
  Matrix logits = decoded(model, *names, x.view());
  if (head == Head::question_answering) {
    return {{"start_logits", column_of(logits, 0)}, {"end_logits", column_of(logits, 1)}};
  }
  if (names->pool == Pool::tokens) return {{"logits", as_tensor(std::move(logits))}};
  return {{"logits", as_vector(std::move(logits))}};
}

}  // namespace berth::encoder::reference
