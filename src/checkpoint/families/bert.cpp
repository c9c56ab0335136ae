// BERT (Devlin et al. 2018).
#include <array>

#include "checkpoint/families/rows.h"

namespace berth::checkpoint::rows {
namespace {

constexpr auto kHeads = std::to_array<HeadLayout>({
    kPooler,
    {
        .head = Head::sequence_classification,
        .pool = Pool::first,
        .transform = "pooler.dense",
        .transform_activation = "tanh",
        .output = "classifier",
    },
    kTokenClassifier,
    kAnswerSpans,
    {
        .head = Head::masked_lm,
        .transform = "cls.predictions.transform.dense",
        .transform_norm = "cls.predictions.transform.LayerNorm",
        .output = "cls.predictions.decoder",
        .output_bias = "cls.predictions.bias",
        .output_bias_alias = "cls.predictions.decoder.bias",
        .output_tied = Tied::unless_config_unties,
    },
});

}  // namespace

constexpr Family kBert{
    .model_type = "bert",
    .architecture_stem = "Bert",
    .base_prefix = "bert.",
    .fields = {.position_embedding_type = kPositionEmbeddingType},
    .type_ids_input = true,
    .embeddings = kBertEmbeddings,
    .encoder = {.layer_stem = "encoder.layer."},
    .layer = kBertLayer,
    .heads = kHeads,
};

}  // namespace berth::checkpoint::rows
