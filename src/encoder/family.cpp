// The table of families, and looking things up in it.
#include "encoder/family.h"

#include <algorithm>
#include <array>

#include "base/json.h"
#include "berth/error.h"

namespace berth::encoder {
namespace {

constexpr auto kBertHeads = std::to_array<HeadLayout>({
    {
        .head = Head::none,
        .first_token = true,
        .transform = "pooler.dense",
        .transform_activation = "tanh",
        .transform_optional = true,
    },
    {
        .head = Head::sequence_classification,
        .first_token = true,
        .transform = "pooler.dense",
        .transform_activation = "tanh",
        .output = "classifier",
    },
    {
        .head = Head::token_classification,
        .output = "classifier",
    },
    {
        .head = Head::question_answering,
        .output = "qa_outputs",
    },
    {
        .head = Head::masked_lm,
        .transform = "cls.predictions.transform.dense",
        .transform_norm = "cls.predictions.transform.LayerNorm",
        .output = "cls.predictions.decoder",
        .output_bias = "cls.predictions.bias",
        .output_bias_alias = "cls.predictions.decoder.bias",
        .output_tied = true,
    },
});

constexpr auto kFamilies = std::to_array<Family>({
    {
        .model_type = "bert",
        .architecture_stem = "Bert",
        .positions = Positions::from_zero,
        .type_ids_input = true,
        .embeddings =
            {
                .words = "embeddings.word_embeddings.weight",
                .positions = "embeddings.position_embeddings.weight",
                .types = "embeddings.token_type_embeddings.weight",
                .norm = "embeddings.LayerNorm",
            },
        .layer_stem = "encoder.layer.",
        .layer =
            {
                .query = "attention.self.query",
                .key = "attention.self.key",
                .value = "attention.self.value",
                .attention_output = "attention.output.dense",
                .attention_norm = "attention.output.LayerNorm",
                .intermediate = "intermediate.dense",
                .output = "output.dense",
                .output_norm = "output.LayerNorm",
            },
        .heads = kBertHeads,
    },
});

}  // namespace

std::span<const Family> families() { return kFamilies; }

const Family* find_family(std::string_view model_type) {
  const auto* const found = std::find_if(kFamilies.begin(), kFamilies.end(),
                                         [&](const Family& family) { return family.model_type == model_type; });
  return found == kFamilies.end() ? nullptr : found;
}

const Family& family_of(const checkpoint::EncoderConfig& config) {
  if (const Family* const family = find_family(config.model_type)) return *family;
  throw Error(ErrorKind::unsupported, config.path, unsupported_family(config.model_type));
}

const HeadLayout* find_head(const Family& family, Head head) {
  const auto found = std::find_if(family.heads.begin(), family.heads.end(),
                                  [&](const HeadLayout& layout) { return layout.head == head; });
  return found == family.heads.end() ? nullptr : &*found;
}

std::string layer_module(const Family& family, std::int64_t layer, std::string_view module) {
  return std::string(family.layer_stem).append(std::to_string(layer)).append(".").append(module);
}

std::string weight_of(std::string_view module) { return std::string(module) + ".weight"; }
std::string bias_of(std::string_view module) { return std::string(module) + ".bias"; }

std::string output_bias_of(const HeadLayout& layout) {
  return layout.output_bias.empty() ? bias_of(layout.output) : std::string(layout.output_bias);
}

std::string unsupported_family(std::string_view model_type) {
  std::string known;
  for (const Family& family : kFamilies) known.append(known.empty() ? "" : ", ").append(family.model_type);
  return "model_type is " + json::describe(json::Value(std::string(model_type))) + ", expected one of " + known;
}

std::int64_t max_tokens(const Family& family, const checkpoint::EncoderConfig& config) {
  switch (family.positions) {
    case Positions::from_zero: return config.max_positions;
    case Positions::after_padding: return config.max_positions - config.pad_token_id.value_or(0) - 1;
  }
  throw Error(ErrorKind::internal, "", "a family counts positions in an unknown way");
}

std::int64_t max_tokens(const checkpoint::EncoderConfig& config) { return max_tokens(family_of(config), config); }

bool takes_type_ids(const checkpoint::EncoderConfig& config) { return family_of(config).type_ids_input; }

}  // namespace berth::encoder
