// The tensors of a family and a head, part by part. A dense layer's weight is [outputs, inputs], as PyTorch stores it.
#include "encoder/requirements.h"

#include <set>
#include <utility>

namespace berth::encoder {
namespace {

using checkpoint::DisentangledAttention;

class Collector {
 public:
  Collector(const checkpoint::EncoderConfig& config, const Family& family) : config_(config), family_(family) {}

  void embeddings() {
    const EmbeddingLayout& names = family_.embeddings;
    const std::int64_t width = config_.embedding_size;
    tensor(names.words, {config_.vocab_size, width});
    if (adds_positions(family_, config_)) tensor(names.positions, {config_.max_positions, width});
    if (adds_types(family_, config_)) tensor(names.types, {config_.type_vocab_size, width});
    norm(names.norm, names.projected_before_norm ? config_.hidden_size : width);
    if (projects_embeddings(family_, config_)) {
      dense(names.projection, width, config_.hidden_size, !names.projected_before_norm);
    }
  }

  void beside_layers() {
    const EncoderLayout& names = family_.encoder;
    if (!names.final_norm.empty()) norm(names.final_norm, config_.hidden_size);
    if (attention() == Attention::relative_bias) tensor(names.relative_bias, {config_.relative_buckets, config_.heads});
    if (!config_.disentangled) return;
    const DisentangledAttention& own = *config_.disentangled;
    if (own.relative) {
      tensor(names.distances, {2 * own.span(), config_.hidden_size});
      if (own.norm_distances) norm(names.distances_norm, config_.hidden_size);
    }
    if (own.kernel_size > 0) {
      tensor(weight_of(names.convolution),
             {config_.hidden_size, config_.hidden_size / own.kernel_groups, own.kernel_size});
      tensor(bias_of(names.convolution), {config_.hidden_size});
      norm(names.convolution_norm, config_.hidden_size);
    }
  }

  void layer(const std::string& prefix, bool reads_embeddings) {
    const LayerLayout& names = family_.layer;
    const std::int64_t hidden = config_.hidden_size;
    const auto module = [&](std::string_view name) { return prefix + std::string(name); };
    if (!names.query_key_value.empty()) {
      dense(module(names.query_key_value), hidden, 3 * hidden, config_.biases.attention);
    } else {
      for (const auto name : {names.query, names.key, names.value}) {
        dense(module(name), hidden, hidden, config_.biases.attention);
      }
    }
    distances(prefix);
    dense(module(names.attention_output), hidden, hidden, config_.biases.attention);
    if (!(family_.encoder.norm_first && reads_embeddings)) norm(module(names.attention_norm), hidden);
    const std::int64_t gates = family_.encoder.gated ? 2 : 1;
    dense(module(names.intermediate), hidden, gates * config_.intermediate_size, config_.biases.feed_forward);
    dense(module(names.output), config_.intermediate_size, hidden, config_.biases.feed_forward);
    norm(module(names.output_norm), hidden);
  }

  void head(const HeadLayout& layout, bool without_transform) {
    const bool masked_lm = layout.head == Head::masked_lm;  // works in the space of the word embeddings
    const std::int64_t width = masked_lm ? config_.embedding_size : config_.hidden_size;
    if (!layout.transform.empty() && !without_transform) {
      dense(layout.transform, config_.hidden_size, width, config_.biases.head_transform);
      if (!layout.transform_norm.empty()) norm(layout.transform_norm, width);
    }
    if (layout.output.empty()) return;
    const auto [outputs, because] = output_width(layout.head);
    const std::string weight = weight_of(layout.output);
    if (!is_tied(layout, config_)) tensor(weight, {outputs, width}, because);
    if (masked_lm && !config_.biases.decoder) return;
    tensor(output_bias_of(layout), {outputs}, because, layout.output_bias_alias);
  }

  [[nodiscard]] std::vector<Requirement> take() { return std::move(requirements_); }

 private:
  [[nodiscard]] Attention attention() const { return attention_of(family_, config_); }

  // What a layer's attention needs to know of distances.
  void distances(const std::string& prefix) {
    const LayerLayout& names = family_.layer;
    if (attention() == Attention::relative_key || attention() == Attention::relative_key_query) {
      tensor(prefix + std::string(names.distances),
             {2 * config_.max_positions - 1, config_.hidden_size / config_.heads});
    }
    if (!config_.disentangled || !config_.disentangled->relative || config_.disentangled->share_keys) return;
    const std::int64_t hidden = config_.hidden_size;
    if (config_.disentangled->content_to_position) dense(prefix + std::string(names.distance_keys), hidden, hidden);
    if (config_.disentangled->position_to_content) dense(prefix + std::string(names.distance_queries), hidden, hidden);
  }

  void tensor(std::string_view name, Shape shape, std::string because = {}, std::string_view alias = {}) {
    requirements_.push_back({std::string(name), std::string(alias), std::move(shape), std::move(because)});
  }

  void dense(std::string_view module, std::int64_t inputs, std::int64_t outputs, bool has_bias = true) {
    tensor(weight_of(module), {outputs, inputs});
    if (has_bias) tensor(bias_of(module), {outputs});
  }

  void norm(std::string_view module, std::int64_t width) {
    tensor(weight_of(module), {width});
    if (config_.biases.norms) tensor(bias_of(module), {width});
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

  const checkpoint::EncoderConfig& config_;
  const Family& family_;
  std::vector<Requirement> requirements_;
};

}  // namespace

bool goes_without_transform(const checkpoint::Checkpoint& checkpoint, const HeadLayout& layout) {
  return layout.transform_optional && checkpoint.find(weight_of(layout.transform)) == nullptr &&
         checkpoint.find(bias_of(layout.transform)) == nullptr;
}

std::vector<Requirement> requirements(const checkpoint::Checkpoint& checkpoint, const Family& family,
                                      const HeadLayout& layout) {
  const checkpoint::EncoderConfig& config = checkpoint.config();
  Collector collector(config, family);
  collector.embeddings();
  collector.beside_layers();
  std::set<std::string> known;  // layers that share weights have one prefix
  for (std::int64_t layer = 0; layer < config.layers; ++layer) {
    for (const std::string& prefix : layer_prefixes(family, config, layer)) {
      if (known.insert(prefix).second) collector.layer(prefix, layer == 0);
    }
  }
  collector.head(layout, goes_without_transform(checkpoint, layout));
  return collector.take();
}

}  // namespace berth::encoder
