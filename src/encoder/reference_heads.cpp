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
Matrix pooled(const Model& model, Rows hidden) {
  Matrix first = dense(model, {hidden.data, 1, hidden.columns, hidden.stride}, "pooler.dense");
  activate(model, first.view(), activation_named("tanh", "pooler"));
  return first;
}

Outputs no_head(const Model& model, Rows hidden) {
  Outputs outputs;
  outputs.emplace("last_hidden_state", as_tensor(copy_of(hidden)));
  if (model.has("pooler.dense.weight")) outputs.emplace("pooler_output", as_vector(pooled(model, hidden)));
  return outputs;
}

Outputs sequence_classification(const Model& model, Rows hidden) {
  return {{"logits", as_vector(dense(model, pooled(model, hidden).view(), "classifier"))}};
}

Outputs token_classification(const Model& model, Rows hidden) {
  return {{"logits", as_tensor(dense(model, hidden, "classifier"))}};
}

Outputs question_answering(const Model& model, Rows hidden) {
  const Matrix logits = dense(model, hidden, "qa_outputs");
  return {{"start_logits", column_of(logits, 0)}, {"end_logits", column_of(logits, 1)}};
}

// The decoder is the word embedding unless the checkpoint has one of its own.
Outputs masked_lm(const Model& model, Rows hidden) {
  Matrix transformed = dense(model, hidden, "cls.predictions.transform.dense");
  activate(model, transformed.view(), activation_named(model.config.activation, model.config.path));
  layer_norm(model, transformed.view(), "cls.predictions.transform.LayerNorm");
  const std::string own = "cls.predictions.decoder.weight";
  const TensorView& decoder = model.weight(model.has(own) ? own : "embeddings.word_embeddings.weight");
  return {{"logits", as_tensor(dense(model, transformed.view(), decoder, model.vector("cls.predictions.bias")))}};
}

struct ReferenceHeadRow {
  Head head;
  Outputs (*run)(const Model& model, Rows hidden);
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
  for (const ReferenceHeadRow& row : kHeads) {
    if (row.head == head) return row.run(model, hidden);
  }
  throw Error(ErrorKind::internal, "", "the reference lacks a head");
}

}  // namespace berth::encoder::reference
