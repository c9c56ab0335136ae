// RoBERTa (Liu et al. 2019), XLM-RoBERTa (Conneau et al. 2019) and CamemBERT (Martin et al. 2019): BERT with positions
// that begin after the padding token's id, without segments to tell apart, and with heads of their own.
#include <array>

#include "checkpoint/families/rows.h"

namespace berth::checkpoint::rows {
namespace {

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

constexpr Family row(std::string_view model_type, std::string_view architecture_stem, std::int64_t vocab_size) {
  return {
      .model_type = model_type,
      .architecture_stem = architecture_stem,
      .base_prefix = "roberta.",
      .fields = {.vocab_size = {"vocab_size", vocab_size},
                 .pad_token_id = {"pad_token_id", 1},
                 .position_embedding_type = kPositionEmbeddingType},
      .positions = Positions::after_padding,
      .embeddings = kBertEmbeddings,
      .encoder = {.layer_stem = "encoder.layer."},
      .layer = kBertLayer,
      .heads = kHeads,
  };
}

}  // namespace

constexpr Family kRoberta = row("roberta", "Roberta", 50265);
constexpr Family kXlmRoberta = row("xlm-roberta", "XLMRoberta", 30522);
constexpr Family kCamembert = row("camembert", "Camembert", 30522);

}  // namespace berth::checkpoint::rows
