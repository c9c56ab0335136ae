// ALBERT (Lan et al. 2019): BERT with narrow embeddings and layers that share their weights by groups.
#include <array>

#include "berth/error.h"
#include "checkpoint/families/rows.h"

namespace berth::checkpoint::rows {
namespace {

constexpr std::int64_t kMostInnerLayers = 64;

constexpr auto kHeads = std::to_array<HeadLayout>({
    {
        .head = Head::none,
        .pool = Pool::first,
        .transform = "pooler",
        .transform_activation = "tanh",
        .transform_optional = true,
    },
    {
        .head = Head::sequence_classification,
        .pool = Pool::first,
        .transform = "pooler",
        .transform_activation = "tanh",
        .output = "classifier",
    },
    kTokenClassifier,
    kAnswerSpans,
    {
        .head = Head::masked_lm,
        .transform = "predictions.dense",
        .transform_norm = "predictions.LayerNorm",
        .output = "predictions.decoder",
        .output_bias = "predictions.bias",
        .output_bias_alias = "predictions.decoder.bias",
        .output_tied = Tied::unless_config_unties,
    },
});

constexpr EmbeddingLayout embeddings() {
  EmbeddingLayout layout = kBertEmbeddings;
  layout.projection = "encoder.embedding_hidden_mapping_in";
  layout.always_projected = true;
  return layout;
}

void read_groups(const json::Object& config, EncoderConfig& result) {
  result.layer_groups = read_between(config, "num_hidden_groups", 1, 1, result.layers);
  result.layers_in_group = read_between(config, "inner_group_num", 1, 1, kMostInnerLayers);
}

}  // namespace

constexpr Family kAlbert{
    .model_type = "albert",
    .architecture_stem = "Albert",
    .base_prefix = "albert.",
    .fields = {.vocab_size = {"vocab_size", 30000},
               .embedding_size = {"embedding_size", 128},
               .hidden_size = {"hidden_size", 4096},
               .intermediate_size = {"intermediate_size", 16384},
               .activation = {"hidden_act", "gelu_new"},
               .position_embedding_type = kPositionEmbeddingType,
               .read_own = read_groups},
    .type_ids_input = true,
    .relative_key_unscaled = true,
    .embeddings = embeddings(),
    .encoder = {.layer_stem = "encoder.albert_layer_groups.", .inner_layer_stem = ".albert_layers."},
    .layer = {.query = "attention.query",
              .key = "attention.key",
              .value = "attention.value",
              .attention_output = "attention.dense",
              .attention_norm = "attention.LayerNorm",
              .intermediate = "ffn",
              .output = "ffn_output",
              .output_norm = "full_layer_layer_norm",
              .distances = "attention.distance_embedding.weight"},
    .heads = kHeads,
};

}  // namespace berth::checkpoint::rows
