// One function a head, in a table; each ends in one dense layer over one token or over all.
#include "encoder/reference_heads.h"

#include <array>
#include <utility>

#include "berth/error.h"

namespace berth::encoder::reference {
namespace {

using Outputs = std::map<std::string, ReferenceTensor>;

Matrix copy_of(Rows rows) {
  Matrix copy(rows.rows, rows.columns);
  add(copy.view(), rows);
  return copy;
}

ReferenceTensor as_vector(Matrix row) { return {{static_cast<std::int64_t>(row.columns)}, std::move(row.values)}; }

ReferenceTensor column_of(const Matrix& matrix, std::size_t column) {
  ReferenceTensor tensor{{static_cast<std::int64_t>(matrix.rows)}, {}};
  for (std::size_t i = 0; i < matrix.rows; ++i) tensor.values.push_back(matrix.view()[i][column]);
  return tensor;
}

// The first token stands for the text.
Matrix pooled(const Model& model, const HeadLayout& names, Rows hidden) {
  Matrix first = dense(model, {hidden.data, 1, hidden.columns, hidden.stride}, names.transform);
  activate(model, first.view(), activation_named("tanh", "pooler"));
  return first;
}

Outputs no_head(const Model& model, const HeadLayout& names, Rows hidden) {
  Outputs outputs;
  outputs.emplace("last_hidden_state", as_tensor(copy_of(hidden)));
  if (model.has(weight_of(names.transform))) outputs.emplace("pooler_output", as_vector(pooled(model, names, hidden)));
  return outputs;
}

Outputs sequence_classification(const Model& model, const HeadLayout& names, Rows hidden) {
  return {{"logits", as_vector(dense(model, pooled(model, names, hidden).view(), names.output))}};
}

Outputs token_classification(const Model& model, const HeadLayout& names, Rows hidden) {
  return {{"logits", as_tensor(dense(model, hidden, names.output))}};
}

Outputs question_answering(const Model& model, const HeadLayout& names, Rows hidden) {
  const Matrix logits = dense(model, hidden, names.output);
  return {{"start_logits", column_of(logits, 0)}, {"end_logits", column_of(logits, 1)}};
}

// The decoder is the word embedding unless the checkpoint has one of its own.
Outputs masked_lm(const Model& model, const HeadLayout& names, Rows hidden) {
  Matrix transformed = dense(model, hidden, names.transform);
  activate(model, transformed.view(), activation_named(model.config.activation, model.config.path));
  layer_norm(model, transformed.view(), names.transform_norm);
  const std::string own = weight_of(names.output);
  const TensorView& decoder = model.weight(model.has(own) ? own : model.family.embeddings.words);
  return {{"logits", as_tensor(dense(model, transformed.view(), decoder, model.vector(output_bias_of(names))))}};
}

struct ReferenceHeadRow {
  Head head;
  Outputs (*run)(const Model& model, const HeadLayout& names, Rows hidden);
};

constexpr std::array<ReferenceHeadRow, 5> kHeads{{{Head::none, no_head},
                                                  {Head::sequence_classification, sequence_classification},
                                                  {Head::token_classification, token_classification},
                                                  {Head::question_answering, question_answering},
                                                  {Head::masked_lm, masked_lm}}};

}  // namespace

ReferenceTensor as_tensor(Matrix matrix) {
  return {{static_cast<std::int64_t>(matrix.rows), static_cast<std::int64_t>(matrix.columns)},
          std::move(matrix.values)};
}

std::map<std::string, ReferenceTensor> head_outputs(const Model& model, Head head, Rows hidden) {
  const HeadLayout* const names = find_head(model.family, head);
  for (const ReferenceHeadRow& row : kHeads) {
    if (row.head == head && names != nullptr) return row.run(model, *names, hidden);
  }
  throw Error(ErrorKind::internal, std::string(row_of(head).task), "is a task that the reference lacks");
}

}  // namespace berth::encoder::reference
