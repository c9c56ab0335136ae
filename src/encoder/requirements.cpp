// The tensors of a family and a head, part by part. A dense layer's weight is [outputs, inputs], as PyTorch stores it.
#include "encoder/requirements.h"

#include <utility>

namespace berth::encoder {
namespace {

class Collector {
 public:
  Collector(const checkpoint::Checkpoint& checkpoint, const Family& family)
      : checkpoint_(checkpoint), config_(checkpoint.config()), family_(family), embedding_width_(embedding_width()) {}

  void embeddings() {
    const EmbeddingLayout& names = family_.embeddings;
    tensor(names.words, {config_.vocab_size, embedding_width_});
    tensor(names.positions, {config_.max_positions, embedding_width_});
    if (!names.types.empty()) tensor(names.types, {config_.type_vocab_size, embedding_width_});
    norm(names.norm, embedding_width_);
    if (embedding_width_ != config_.hidden_size) dense(names.projection, embedding_width_, config_.hidden_size);
  }

  void layer(std::int64_t index) {
    const LayerLayout& names = family_.layer;
    const std::int64_t hidden = config_.hidden_size;
    const auto module = [&](std::string_view name) { return layer_module(family_, index, name); };
    for (const std::string_view name : {names.query, names.key, names.value, names.attention_output}) {
      dense(module(name), hidden, hidden);
    }
    norm(module(names.attention_norm), hidden);
    dense(module(names.intermediate), hidden, config_.intermediate_size);
    dense(module(names.output), config_.intermediate_size, hidden);
    norm(module(names.output_norm), hidden);
  }

  void head(const HeadLayout& layout) {
    const bool masked_lm = layout.head == Head::masked_lm;  // works in the space of the word embeddings
    const std::int64_t width = masked_lm ? embedding_width_ : config_.hidden_size;
    if (!layout.transform.empty() && !goes_without_transform(checkpoint_, layout)) {
      dense(layout.transform, config_.hidden_size, width);
      if (!layout.transform_norm.empty()) norm(layout.transform_norm, width);
    }
    if (layout.output.empty()) return;
    const auto [outputs, because] = output_width(layout.head);
    const std::string weight = weight_of(layout.output);
    if (!layout.output_tied || !config_.tie_word_embeddings) tensor(weight, {outputs, width}, because);
    tensor(output_bias_of(layout), {outputs}, because, layout.output_bias_alias);
  }

  [[nodiscard]] std::vector<Requirement> take() { return std::move(requirements_); }

 private:
  void tensor(std::string_view name, Shape shape, std::string because = {}, std::string_view alias = {}) {
    requirements_.push_back({std::string(name), std::string(alias), std::move(shape), std::move(because)});
  }

  void dense(std::string_view module, std::int64_t inputs, std::int64_t outputs) {
    tensor(weight_of(module), {outputs, inputs});
    tensor(bias_of(module), {outputs});
  }

  void norm(std::string_view module, std::int64_t width) {
    tensor(weight_of(module), {width});
    tensor(bias_of(module), {width});
  }

  // Only a family that can project may have embeddings of another width; the word table then says which.
  [[nodiscard]] std::int64_t embedding_width() const {
    const TensorView* const words = checkpoint_.find(family_.embeddings.words);
    const bool free = !family_.embeddings.projection.empty() && words != nullptr && words->shape.size() == 2;
    return free ? words->shape[1] : config_.hidden_size;
  }

  [[nodiscard]] std::pair<std::int64_t, std::string> output_width(Head head) const {
    switch (head) {
      case Head::question_answering: return {2, "a start and an end"};
      case Head::masked_lm: return {config_.vocab_size, "as vocab_size says"};
      case Head::none:
      case Head::sequence_classification:
      case Head::token_classification: break;
    }
    const auto labels = static_cast<std::int64_t>(config_.labels.size());
    return {labels, "the config has " + std::to_string(labels) + (labels == 1 ? " label" : " labels")};
  }

  const checkpoint::Checkpoint& checkpoint_;
  const checkpoint::EncoderConfig& config_;
  const Family& family_;
  std::int64_t embedding_width_;
  std::vector<Requirement> requirements_;
};

}  // namespace

bool goes_without_transform(const checkpoint::Checkpoint& checkpoint, const HeadLayout& layout) {
  return layout.transform_optional && checkpoint.find(weight_of(layout.transform)) == nullptr &&
         checkpoint.find(bias_of(layout.transform)) == nullptr;
}

std::vector<Requirement> requirements(const checkpoint::Checkpoint& checkpoint, const Family& family,
                                      const HeadLayout& layout) {
  Collector collector(checkpoint, family);
  collector.embeddings();
  for (std::int64_t layer = 0; layer < checkpoint.config().layers; ++layer) collector.layer(layer);
  collector.head(layout);
  return collector.take();
}

}  // namespace berth::encoder
