// DeBERTa of the second and third version (He et al. 2020 and 2021): contents and distances attend to each other
// through matrices of their own; the mask reaches the embeddings; a convolution may stand beside the first layer.
#include <algorithm>
#include <array>

#include "berth/error.h"
#include "checkpoint/families/rows.h"

namespace berth::checkpoint::rows {
namespace {

constexpr std::int64_t kMostDistance = std::int64_t{1} << 20;
constexpr std::int64_t kMostKernel = 1 << 10;

constexpr auto kHeads = std::to_array<HeadLayout>({
    {.head = Head::none},
    {
        .head = Head::sequence_classification,
        .pool = Pool::first,
        .transform = "pooler.dense",
        .transform_configured = true,
        .output = "classifier",
    },
    kTokenClassifier,
    kAnswerSpans,
    {
        .head = Head::masked_lm,
        .legacy = true,
        .transform = "cls.predictions.transform.dense",
        .transform_norm = "cls.predictions.transform.LayerNorm",
        .output = "cls.predictions.decoder",
        .output_bias = "cls.predictions.bias",
        .output_bias_alias = "cls.predictions.decoder.bias",
        .output_tied = Tied::unless_config_unties,
    },
    {
        .head = Head::masked_lm,
        .legacy = false,
        .transform = "lm_predictions.lm_head.dense",
        .transform_norm = "lm_predictions.lm_head.LayerNorm",
        .output = "lm_predictions.lm_head",
        .output_tied = Tied::always,
    },
});

// "c2p|p2c", or a list of the two, or null.
std::vector<std::string> read_pairs(const json::Object& config) {
  const json::Value* const value = config.find("pos_att_type");
  if (value == nullptr || !value->is_string()) return config.get<std::vector<std::string>>("pos_att_type", {});
  std::vector<std::string> pairs;
  const auto text = value->get<std::string>();
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('|', begin), text.size());
    std::string part = text.substr(begin, end - begin);
    std::erase(part, ' ');
    if (!part.empty()) pairs.push_back(std::move(part));
    begin = end + 1;
  }
  return pairs;
}

void read_disentangled(const json::Object& config, EncoderConfig& result) {
  DisentangledAttention own;
  own.relative = config.get<bool>("relative_attention", false);
  for (const std::string& pair : read_pairs(config)) {
    if (pair != "c2p" && pair != "p2c") {
      throw Error(ErrorKind::unsupported, config.where("pos_att_type"),
                  "names " + json::describe(pair) + ", expected c2p and p2c");
    }
    (pair == "c2p" ? own.content_to_position : own.position_to_content) = true;
  }
  own.share_keys = config.get<bool>("share_att_key", false);
  own.norm_distances = config.get<std::string>("norm_rel_ebd", "none").find("layer_norm") != std::string::npos;
  own.absolute_positions = config.get<bool>("position_biased_input", true);
  own.buckets = std::max<std::int64_t>(read_between(config, "position_buckets", -1, -1, kMostDistance), 0);
  own.max_distance = read_between(config, "max_relative_positions", -1, -1, kMostDistance);
  if (own.max_distance < 1) own.max_distance = result.max_positions;
  own.kernel_size = read_between(config, "conv_kernel_size", 0, 0, kMostKernel);
  own.kernel_groups = read_between(config, "conv_groups", 1, 1, result.hidden_size);
  own.kernel_activation = config.get<std::string>("conv_act", "tanh");
  result.disentangled = own;
  result.legacy_masked_lm = config.get<bool>("legacy", true);
}

// Sizes that must be those of the layers, or else the family computes what no block here does.
void read_own(const json::Object& config, EncoderConfig& result) {
  read_disentangled(config, result);
  struct Same {
    std::string_view field;
    std::int64_t expected;
  };
  for (const Same& same : {Same{"pooler_hidden_size", result.hidden_size},
                           Same{"attention_head_size", result.hidden_size / result.heads}}) {
    const auto found = config.get<std::int64_t>(same.field);
    if (!found || *found == same.expected) continue;
    throw Error(ErrorKind::unsupported, config.where(same.field),
                "is " + std::to_string(*found) + ", expected " + std::to_string(same.expected));
  }
}

constexpr EmbeddingLayout embeddings() {
  EmbeddingLayout layout = kBertEmbeddings;
  layout.projection = "embeddings.embed_proj";
  layout.projected_before_norm = true;
  layout.masked = true;
  return layout;
}

constexpr LayerLayout layer() {
  LayerLayout layout = kBertLayer;
  layout.query = "attention.self.query_proj";
  layout.key = "attention.self.key_proj";
  layout.value = "attention.self.value_proj";
  layout.distances = {};
  layout.distance_keys = "attention.self.pos_key_proj";
  layout.distance_queries = "attention.self.pos_query_proj";
  return layout;
}

}  // namespace

constexpr Family kDebertaV2{
    .model_type = "deberta-v2",
    .architecture_stem = "DebertaV2",
    .base_prefix = "deberta.",
    .fields = {.vocab_size = {"vocab_size", 128100},
               .embedding_size = {"embedding_size", 0},
               .hidden_size = {"hidden_size", 1536},
               .intermediate_size = {"intermediate_size", 6144},
               .type_vocab_size = {"type_vocab_size", 0},
               .layer_norm_eps = {"layer_norm_eps", 1e-7},
               .head_activation = {"pooler_hidden_act", "gelu"},
               .read_own = read_own},
    .type_ids_input = true,
    .types_optional = true,
    .attention = Attention::disentangled,
    .embeddings = embeddings(),
    .encoder = {.layer_stem = "encoder.layer.",
                .distances = "encoder.rel_embeddings.weight",
                .distances_norm = "encoder.LayerNorm",
                .convolution = "encoder.conv.conv",
                .convolution_norm = "encoder.conv.LayerNorm"},
    .layer = layer(),
    .heads = kHeads,
};

}  // namespace berth::checkpoint::rows
