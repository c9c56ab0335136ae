// The encoder as the papers describe it, one text at a time: embeddings, then layers of attention and feed-forward
// parts, each with its residual and layer normalization after it, then a head. Nothing here knows of ONNX.
#include <algorithm>
#include <string>
#include <utility>

#include "berth/encoder.h"
#include "berth/error.h"
#include "encoder/reference_activation.h"
#include "encoder/reference_blocks.h"
#include "encoder/reference_heads.h"

namespace berth::encoder {
namespace {

using reference::Matrix;
using reference::Model;
using reference::MutableRows;
using reference::Rows;

constexpr auto kWords = "embeddings.word_embeddings.weight";
constexpr auto kPositions = "embeddings.position_embeddings.weight";
constexpr auto kTypes = "embeddings.token_type_embeddings.weight";

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
  const std::int64_t positions = model.weight(kPositions).shape.at(0);
  if (tokens < 1 || tokens > positions) {
    refuse(ErrorKind::limit, "number of ids", tokens, "1 to " + std::to_string(positions));
  }
  for (const auto& [name, values] : {std::pair("type_ids", &input.type_ids), std::pair("mask", &input.mask)}) {
    if (values->size() == input.ids.size()) continue;
    refuse(ErrorKind::invalid_input, std::string("length of ") + name, static_cast<std::int64_t>(values->size()),
           std::to_string(tokens) + ", as many as ids");
  }
  require_below(input.ids, "ids", model.weight(kWords).shape.at(0));
  require_below(input.type_ids, "type_ids", model.has(kTypes) ? model.weight(kTypes).shape.at(0) : 1);
  require_below(input.mask, "mask", 2);
}

void add_row(const TensorView& table, std::int64_t row, std::span<double> scratch, std::span<double> to) {
  const auto width = static_cast<std::int64_t>(to.size());
  widen(table, row * width, width, scratch.data());
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += scratch[i];
}

Matrix embed(const Model& model, const ReferenceInput& input) {
  Matrix sums(input.ids.size(), static_cast<std::size_t>(model.config.hidden_size));
  std::vector<double> scratch(sums.columns);
  for (std::size_t i = 0; i < sums.rows; ++i) {
    add_row(model.weight(kWords), input.ids[i], scratch, sums[i]);
    add_row(model.weight(kPositions), static_cast<std::int64_t>(i), scratch, sums[i]);
    if (model.has(kTypes)) add_row(model.weight(kTypes), input.type_ids[i], scratch, sums[i]);
  }
  layer_norm(model, sums.view(), "embeddings.LayerNorm");
  return sums;
}

Matrix self_attention(const Model& model, Rows input, const std::string& name, std::span<const std::int64_t> mask) {
  const Matrix query = dense(model, input, name + ".self.query");
  const Matrix key = dense(model, input, name + ".self.key");
  const Matrix value = dense(model, input, name + ".self.value");
  Matrix result =
      dense(model, attention(model, query.view(), key.view(), value.view(), mask).view(), name + ".output.dense");
  add(result.view(), input);
  layer_norm(model, result.view(), name + ".output.LayerNorm");
  return result;
}

Matrix feed_forward(const Model& model, Rows input, const std::string& name) {
  Matrix wide = dense(model, input, name + ".intermediate.dense");
  activate(model, wide.view(), reference::activation_named(model.config.activation, model.config.path));
  Matrix result = dense(model, wide.view(), name + ".output.dense");
  add(result.view(), input);
  layer_norm(model, result.view(), name + ".output.LayerNorm");
  return result;
}

Matrix run_layer(const Model& model, std::int64_t layer, Rows input, std::span<const std::int64_t> mask) {
  const std::string name = "encoder.layer." + std::to_string(layer);
  return feed_forward(model, self_attention(model, input, name + ".attention", mask).view(), name);
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
      weights_(bind(checkpoint, head)) {
  const checkpoint::EncoderConfig& config = checkpoint.config();
  if (config.heads < 1 || config.hidden_size % config.heads != 0) {
    throw Error(ErrorKind::mismatch, config.path + ": num_attention_heads",
                "is " + std::to_string(config.heads) + ", expected a divisor of hidden_size, which is " +
                    std::to_string(config.hidden_size));
  }
  static_cast<void>(reference::activation_named(config.activation, config.path));  // refuses here, not in run()
}

ReferenceResult Reference::run(const ReferenceInput& input) const {
  const Model model{checkpoint_.config(), weights_, threads_};
  require_sound(input, model);
  ReferenceResult result;
  result.hidden_states.push_back(reference::as_tensor(embed(model, input)));
  for (std::int64_t layer = 0; layer < model.config.layers; ++layer) {
    const Rows hidden = view_of(result.hidden_states.back());
    result.hidden_states.push_back(reference::as_tensor(run_layer(model, layer, hidden, input.mask)));
  }
  result.outputs = reference::head_outputs(model, head_, view_of(result.hidden_states.back()));
  return result;
}

}  // namespace berth::encoder
