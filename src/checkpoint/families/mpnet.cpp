// MPNet (Song et al. 2020): RoBERTa's embeddings without segments, and a bias on attention by buckets of distances.
#include <array>

#include "checkpoint/families/rows.h"

namespace berth::checkpoint::rows {
namespace {

// Whatever number the config gives, Transformers sorts distances into 32 buckets: a larger table has rows without use,
// a smaller one fails there.
constexpr std::int64_t kFewestBuckets = 32;
constexpr std::int64_t kMostBuckets = 1 << 12;

constexpr auto kHeads = std::to_array<HeadLayout>({
    kPooler,
    {
        .head = Head::sequence_classification,
        .pool = Pool::first,
        .transform = "classifier.dense",
        .transform_activation = "tanh",
        .output = "classifier.out_proj",
    },
    kTokenClassifier,
    kAnswerSpans,
    {
        .head = Head::masked_lm,
        .transform = "lm_head.dense",
        .transform_activation = "gelu",
        .transform_norm = "lm_head.layer_norm",
        .output = "lm_head.decoder",
        .output_bias = "lm_head.bias",
        .output_bias_alias = "lm_head.decoder.bias",
        .output_tied = Tied::unless_config_unties,
    },
});

void read_buckets(const json::Object& config, EncoderConfig& result) {
  result.relative_buckets =
      read_between(config, "relative_attention_num_buckets", 32, kFewestBuckets, kMostBuckets);
}

}  // namespace

constexpr Family kMpnet{
    .model_type = "mpnet",
    .architecture_stem = "MPNet",
    .base_prefix = "mpnet.",
    .fields = {.vocab_size = {"vocab_size", 30527},
               .type_vocab_size = {"", 0},
               .pad_token_id = {"pad_token_id", 1},
               .read_own = read_buckets},
    .positions = Positions::after_padding,
    .position_padding = 1,
    .attention = Attention::relative_bias,
    .embeddings = {.words = "embeddings.word_embeddings.weight",
                   .positions = "embeddings.position_embeddings.weight",
                   .norm = "embeddings.LayerNorm"},
    .encoder = {.layer_stem = "encoder.layer.", .relative_bias = "encoder.relative_attention_bias.weight"},
    .layer = {.query = "attention.attn.q",
              .key = "attention.attn.k",
              .value = "attention.attn.v",
              .attention_output = "attention.attn.o",
              .attention_norm = "attention.LayerNorm",
              .intermediate = "intermediate.dense",
              .output = "output.dense",
              .output_norm = "output.LayerNorm"},
    .heads = kHeads,
};

}  // namespace berth::checkpoint::rows
