// ModernBERT (Warner et al. 2024): rotary positions, most layers within a window, gated feed-forward parts,
// normalization first, few biases.
#include <array>
#include <vector>

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

// Transformers 5 writes {"full_attention": {"rope_theta": …}, "sliding_attention": …} instead of the two fields.
double read_new_theta(const json::Object& config, std::string_view sort, double fallback) {
  const json::Value* const all = config.find("rope_parameters");
  if (all == nullptr) return fallback;
  const json::Object sorts(*all, config.where("rope_parameters"));
  const json::Value* const one = sorts.find(sort);
  if (one == nullptr) return fallback;
  const json::Object parameters(*one, sorts.where(sort));
  if (const auto type = parameters.get<std::string>("rope_type", "default"); type != "default") {
    throw Error(ErrorKind::unsupported, parameters.where("rope_type"),
                "is " + json::describe(type) + ", expected default");
  }
  return read_theta(parameters, "rope_theta", fallback);
}

void read_thetas(const json::Object& config, RotaryAttention& own) {
  const json::Value* const scaling = config.find("rope_scaling");
  if (scaling != nullptr) {
    throw Error(ErrorKind::unsupported, config.where("rope_scaling"),
                "is " + json::describe(*scaling) + ", expected null: positions are turned by the two thetas alone");
  }
  own.global_theta = read_new_theta(config, "full_attention", read_theta(config, "global_rope_theta", 160000));
  const double local =
      config.is_null("local_rope_theta") ? own.global_theta : read_theta(config, "local_rope_theta", 10000);
  own.local_theta = read_new_theta(config, "sliding_attention", local);
}

// Every n-th layer is global, or, as Transformers 5 writes it, each layer's sort by name.
std::vector<bool> read_local_layers(const json::Object& config, std::int64_t layers) {
  std::vector<bool> local;
  if (const auto sorts = config.get<std::vector<std::string>>("layer_types")) {
    for (const std::string& sort : *sorts) {
      if (sort != "full_attention" && sort != "sliding_attention") {
        throw Error(ErrorKind::unsupported, config.where("layer_types"),
                    "names " + json::describe(sort) + ", expected full_attention or sliding_attention");
      }
      local.push_back(sort == "sliding_attention");
    }
    if (static_cast<std::int64_t>(local.size()) != layers) {
      throw Error(ErrorKind::invalid_input, config.where("layer_types"),
                  "has " + std::to_string(local.size()) + " entries, expected one for each of " +
                      std::to_string(layers) + " layers");
    }
    return local;
  }
  const std::int64_t every = read_between(config, "global_attn_every_n_layers", 3, 1, kMostWindow);
  for (std::int64_t layer = 0; layer < layers; ++layer) local.push_back(layer % every != 0);
  return local;
}

void read_own(const json::Object& config, EncoderConfig& result) {
  RotaryAttention own;
  read_thetas(config, own);
  own.local = read_local_layers(config, result.layers);
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
