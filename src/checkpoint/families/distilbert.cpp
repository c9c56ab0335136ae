// DistilBERT (Sanh et al. 2019): BERT without segments and pooler, and with names of its own.
#include <array>

#include "checkpoint/families/rows.h"

namespace berth::checkpoint::rows {
namespace {

constexpr auto kHeads = std::to_array<HeadLayout>({
    {.head = Head::none},
    {
        .head = Head::sequence_classification,
        .pool = Pool::first,
        .transform = "pre_classifier",
        .transform_activation = "relu",
        .output = "classifier",
    },
    kTokenClassifier,
    kAnswerSpans,
    {
        .head = Head::masked_lm,
        .transform = "vocab_transform",
        .transform_norm = "vocab_layer_norm",
        .output = "vocab_projector",
        .output_tied = Tied::unless_config_unties,
    },
});

}  // namespace

constexpr Family kDistilbert{
    .model_type = "distilbert",
    .architecture_stem = "DistilBert",
    .base_prefix = "distilbert.",
    .fields = {.hidden_size = {"dim", 768},
               .layers = {"n_layers", {}},
               .heads = {"n_heads", {}},
               .intermediate_size = {"hidden_dim", 3072},
               .type_vocab_size = {"", 0},
               .layer_norm_eps = {"", 1e-12},
               .activation = {"activation", "gelu"}},
    .embeddings = {.words = "embeddings.word_embeddings.weight",
                   .positions = "embeddings.position_embeddings.weight",
                   .norm = "embeddings.LayerNorm"},
    .encoder = {.layer_stem = "transformer.layer."},
    .layer = {.query = "attention.q_lin",
              .key = "attention.k_lin",
              .value = "attention.v_lin",
              .attention_output = "attention.out_lin",
              .attention_norm = "sa_layer_norm",
              .intermediate = "ffn.lin1",
              .output = "ffn.lin2",
              .output_norm = "output_layer_norm"},
    .heads = kHeads,
};

}  // namespace berth::checkpoint::rows
