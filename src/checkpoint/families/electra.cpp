// ELECTRA (Clark et al. 2020): BERT whose embeddings may be narrower than its layers, without a pooler.
#include <array>

#include "checkpoint/families/rows.h"

namespace berth::checkpoint::rows {
namespace {

constexpr auto kHeads = std::to_array<HeadLayout>({
    {.head = Head::none},
    {
        .head = Head::sequence_classification,
        .pool = Pool::first,
        .transform = "classifier.dense",
        .transform_activation = "gelu",
        .output = "classifier.out_proj",
    },
    kTokenClassifier,
    kAnswerSpans,
    {
        .head = Head::masked_lm,
        .transform = "generator_predictions.dense",
        .transform_activation = "gelu",
        .transform_norm = "generator_predictions.LayerNorm",
        .output = "generator_lm_head",
        .output_tied = Tied::unless_config_unties,
    },
});

constexpr EmbeddingLayout embeddings() {
  EmbeddingLayout layout = kBertEmbeddings;
  layout.projection = "embeddings_project";
  return layout;
}

}  // namespace

constexpr Family kElectra{
    .model_type = "electra",
    .architecture_stem = "Electra",
    .base_prefix = "electra.",
    .fields = {.embedding_size = {"embedding_size", 128},
               .hidden_size = {"hidden_size", 256},
               .intermediate_size = {"intermediate_size", 1024},
               .position_embedding_type = kPositionEmbeddingType},
    .type_ids_input = true,
    .embeddings = embeddings(),
    .encoder = {.layer_stem = "encoder.layer."},
    .layer = kBertLayer,
    .heads = kHeads,
};

}  // namespace berth::checkpoint::rows
