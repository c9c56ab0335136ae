// The encoder as the papers describe it, one text at a time: embeddings, then layers of attention and feed-forward
// parts, each with its residual and layer normalization after it, then a head. Nothing here knows of ONNX.
#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "berth/encoder.h"
#include "berth/error.h"
#include "encoder/family.h"
#include "encoder/reference_activation.h"
#include "encoder/reference_blocks.h"
#include "encoder/reference_heads.h"

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

Matrix embed(const Model& model, const ReferenceInput& input) {
  const EmbeddingLayout& names = model.family.embeddings;
  Matrix sums(input.ids.size(), static_cast<std::size_t>(model.config.hidden_size));
  std::vector<double> scratch(sums.columns);
  for (std::size_t i = 0; i < sums.rows; ++i) {
    add_row(model.weight(names.words), input.ids[i], scratch, sums[i]);
    add_row(model.weight(names.positions), static_cast<std::int64_t>(i), scratch, sums[i]);
    if (!names.types.empty()) add_row(model.weight(names.types), input.type_ids[i], scratch, sums[i]);
  }
  layer_norm(model, sums.view(), names.norm);
  return sums;
}

Matrix self_attention(const Model& model, std::int64_t layer, Rows input, std::span<const std::int64_t> mask) {
  const LayerLayout& names = model.family.layer;
  const auto module = [&](std::string_view name) { return layer_module(model.family, layer, name); };
  const Matrix query = dense(model, input, module(names.query));
  const Matrix key = dense(model, input, module(names.key));
  const Matrix value = dense(model, input, module(names.value));
  const Matrix context = attention(model, query.view(), key.view(), value.view(), mask);
  Matrix result = dense(model, context.view(), module(names.attention_output));
  add(result.view(), input);
  layer_norm(model, result.view(), module(names.attention_norm));
  return result;
}

Matrix feed_forward(const Model& model, std::int64_t layer, Rows input) {
  const LayerLayout& names = model.family.layer;
  const auto module = [&](std::string_view name) { return layer_module(model.family, layer, name); };
  Matrix wide = dense(model, input, module(names.intermediate));
  activate(model, wide.view(), reference::activation_named(model.config.activation, model.config.path));
  Matrix result = dense(model, wide.view(), module(names.output));
  add(result.view(), input);
  layer_norm(model, result.view(), module(names.output_norm));
  return result;
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
    const Matrix attended = self_attention(model, layer, view_of(result.hidden_states.back()), input.mask);
    result.hidden_states.push_back(reference::as_tensor(feed_forward(model, layer, attended.view())));
  }
  result.outputs = reference::head_outputs(model, head_, view_of(result.hidden_states.back()));
  return result;
}

}  // namespace berth::encoder
