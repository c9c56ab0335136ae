// ModernBERT (Warner et al. 2024): rotary positions, most layers within a window, gated feed-forward parts,
// normalization first, few biases.
#include <array>

#include "berth/error.h"
#include "checkpoint/families/rows.h"

namespace berth::checkpoint::rows {
namespace {

constexpr std::int64_t kMostWindow = std::int64_t{1} << 20;

constexpr HeadLayout head(Head which, Pool pool, std::string_view output) {
  return {.head = which,
          .pool = pool,
          .transform = "head.dense",
          .transform_configured = true,
          .transform_norm = "head.norm",
          .output = output};
}

constexpr HeadLayout masked_lm() {
  HeadLayout layout = head(Head::masked_lm, Pool::tokens, "decoder");
  layout.output_tied = Tied::unless_config_unties;
  return layout;
}

constexpr auto kHeads = std::to_array<HeadLayout>({
    {.head = Head::none},
    head(Head::sequence_classification, Pool::configured, "classifier"),
    head(Head::token_classification, Pool::tokens, "classifier"),
    head(Head::question_answering, Pool::tokens, "classifier"),
    masked_lm(),
});

double read_theta(const json::Object& config, std::string_view field, double fallback) {
  const double theta = config.get<double>(field, fallback);
  if (theta > 0 && theta < 1e30) return theta;
  throw Error(ErrorKind::invalid_input, config.where(field), "is " + std::to_string(theta) + ", expected above 0");
}

void read_own(const json::Object& config, EncoderConfig& result) {
  const json::Value* const scaling = config.find("rope_scaling");
  if (scaling != nullptr) {
    throw Error(ErrorKind::unsupported, config.where("rope_scaling"),
                "is " + json::describe(*scaling) + ", expected null: positions are turned by the two thetas alone");
  }
  RotaryAttention own;
  own.global_theta = read_theta(config, "global_rope_theta", 160000);
  own.local_theta =
      config.is_null("local_rope_theta") ? own.global_theta : read_theta(config, "local_rope_theta", 10000);
  own.global_every = read_between(config, "global_attn_every_n_layers", 3, 1, kMostWindow);
  own.window = read_between(config, "local_attention", 128, 0, kMostWindow);
  result.rotary = own;
  result.biases = {.attention = config.get<bool>("attention_bias", false),
                   .feed_forward = config.get<bool>("mlp_bias", false),
                   .norms = config.get<bool>("norm_bias", false),
                   .head_transform = config.get<bool>("classifier_bias", false),
                   .decoder = config.get<bool>("decoder_bias", true)};
  result.classifier_pooling = config.get<std::string>("classifier_pooling", "cls");
  if (result.classifier_pooling != "cls" && result.classifier_pooling != "mean") {
    throw Error(ErrorKind::invalid_input, config.where("classifier_pooling"),
                "is " + json::describe(result.classifier_pooling) + ", expected cls or mean");
  }
}

}  // namespace

constexpr Family kModernbert{
    .model_type = "modernbert",
    .architecture_stem = "ModernBert",
    .base_prefix = "model.",
    .fields = {.vocab_size = {"vocab_size", 50368},
               .intermediate_size = {"intermediate_size", 1152},
               .max_positions = {"max_position_embeddings", 8192},
               .type_vocab_size = {"", 0},
               .pad_token_id = {"pad_token_id", 50283},
               .layer_norm_eps = {"norm_eps", 1e-5},
               .activation = {"hidden_activation", "gelu"},
               .head_activation = {"classifier_activation", "gelu"},
               .read_own = read_own},
    .attention = Attention::rotary,
    .embeddings = {.words = "embeddings.tok_embeddings.weight", .norm = "embeddings.norm"},
    .encoder = {.layer_stem = "layers.", .norm_first = true, .gated = true, .final_norm = "final_norm"},
    .layer = {.query_key_value = "attn.Wqkv",
              .attention_output = "attn.Wo",
              .attention_norm = "attn_norm",
              .intermediate = "mlp.Wi",
              .output = "mlp.Wo",
              .output_norm = "mlp_norm"},
    .heads = kHeads,
};

}  // namespace berth::checkpoint::rows
