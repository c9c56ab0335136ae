// The encoder as the papers describe it, one text at a time: embeddings, then layers, then a head. Nothing here knows
// of ONNX.
#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "berth/encoder.h"
#include "berth/error.h"
#include "encoder/family.h"
#include "encoder/reference_blocks.h"
#include "encoder/reference_heads.h"
#include "encoder/reference_layer.h"

namespace berth::encoder {
namespace {

using reference::Matrix;
using reference::Model;
using reference::Rows;

[[noreturn]] void refuse(ErrorKind kind, const std::string& where, std::int64_t found, const std::string& expected) {
  throw Error(kind, "input of the reference: " + where, "is " + std::to_string(found) + ", expected " + expected);
}

void require_below(const std::vector<std::int64_t>& values, const std::string& name, std::int64_t end) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] >= 0 && values[i] < end) continue;
    refuse(ErrorKind::invalid_input, name + "[" + std::to_string(i) + "]", values[i],
           "0 to " + std::to_string(end - 1));
  }
}

void require_sound(const ReferenceInput& input, const Model& model) {
  const auto tokens = static_cast<std::int64_t>(input.ids.size());
  const std::int64_t most = max_tokens(model.config);
  if (tokens < 1 || tokens > most) refuse(ErrorKind::limit, "number of ids", tokens, "1 to " + std::to_string(most));
  for (const auto& [name, values] : {std::pair("type_ids", &input.type_ids), std::pair("mask", &input.mask)}) {
    if (values->size() == input.ids.size()) continue;
    refuse(ErrorKind::invalid_input, std::string("length of ") + name, static_cast<std::int64_t>(values->size()),
           std::to_string(tokens) + ", as many as ids");
  }
  require_below(input.ids, "ids", model.config.vocab_size);
  require_below(input.type_ids, "type_ids", std::max<std::int64_t>(model.config.type_vocab_size, 1));
  require_below(input.mask, "mask", 2);
}

void add_row(const TensorView& table, std::int64_t row, std::span<double> scratch, std::span<double> to) {
  const auto width = static_cast<std::int64_t>(to.size());
  widen(table, row * width, width, scratch.data());
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += scratch[i];
}

std::int64_t position_of(const Model& model, const ReferenceInput& input, std::size_t token) {
  if (model.family.positions == Positions::from_zero) return static_cast<std::int64_t>(token);
  const std::int64_t padding = position_padding(model.family, model.config);
  if (input.ids[token] == padding) return padding;
  const auto end = input.ids.begin() + static_cast<std::ptrdiff_t>(token) + 1;
  return padding + std::count_if(input.ids.begin(), end, [&](std::int64_t id) { return id != padding; });
}

void hide(Matrix& rows, const std::vector<std::int64_t>& mask) {
  for (std::size_t i = 0; i < rows.rows; ++i) {
    if (mask[i] == 0) std::fill(rows[i].begin(), rows[i].end(), 0.0);
  }
}

Matrix embed(const Model& model, const ReferenceInput& input) {
  const EmbeddingLayout& names = model.family.embeddings;
  Matrix x(input.ids.size(), static_cast<std::size_t>(model.config.embedding_size));
  std::vector<double> scratch(x.columns);
  for (std::size_t i = 0; i < x.rows; ++i) {
    add_row(model.weight(names.words), input.ids[i], scratch, x[i]);
    if (adds_positions(model.family, model.config)) {
      add_row(model.weight(names.positions), position_of(model, input, i), scratch, x[i]);
    }
    if (adds_types(model.family, model.config)) {
      const bool told = takes_type_ids(model.family, model.config);
      add_row(model.weight(names.types), told ? input.type_ids[i] : 0, scratch, x[i]);
    }
  }
  const bool projected = projects_embeddings(model.family, model.config);
  if (projected && names.projected_before_norm) x = dense(model, x.view(), names.projection);
  layer_norm(model, x.view(), names.norm);
  if (projected && !names.projected_before_norm) x = dense(model, x.view(), names.projection);
  if (names.masked) hide(x, input.mask);
  return x;
}

Rows view_of(const ReferenceTensor& tensor) {
  const auto columns = static_cast<std::size_t>(tensor.shape.at(1));
  return {tensor.values.data(), static_cast<std::size_t>(tensor.shape.at(0)), columns, columns};
}

}  // namespace

Reference::Reference(const checkpoint::Checkpoint& checkpoint, Head head, std::size_t threads)
    : checkpoint_(checkpoint),
      head_(head),
      threads_(std::max<std::size_t>(threads, 1)),
      weights_(bind(checkpoint, head)) {}

ReferenceResult Reference::run(const ReferenceInput& input) const {
  const checkpoint::EncoderConfig& config = checkpoint_.config();
  const Model model{config, family_of(config), weights_, threads_};
  require_sound(input, model);
  ReferenceResult result;
  result.hidden_states.push_back(reference::as_tensor(embed(model, input)));
  for (std::int64_t layer = 0; layer < config.layers; ++layer) {
    Matrix next = reference::layers_after(model, layer, view_of(result.hidden_states.back()), input);
    result.hidden_states.push_back(reference::as_tensor(std::move(next)));
  }
  const Matrix last = reference::after_last_layer(model, view_of(result.hidden_states.back()));
  result.outputs = reference::head_outputs(model, head_, last.view(), input.mask);
  return result;
}

}  // namespace berth::encoder
