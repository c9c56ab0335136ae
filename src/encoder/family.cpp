// Small questions to a row and a config, answered in one place for the graph and the reference.
#include "encoder/family.h"

#include <algorithm>

#include "base/json.h"
#include "berth/error.h"

namespace berth::encoder {

using checkpoint::EncoderConfig;

const Family& family_of(const EncoderConfig& config) {
  if (const Family* const family = checkpoint::find_family(config.model_type)) return *family;
  throw Error(ErrorKind::unsupported, config.path, unsupported_family(config.model_type));
}

std::string unsupported_family(std::string_view model_type) {
  return "model_type is " + json::describe(json::Value(std::string(model_type))) + ", expected one of " +
         checkpoint::family_names();
}

const HeadLayout* find_head(const Family& family, const EncoderConfig& config, Head head) {
  const auto found = std::find_if(family.heads.begin(), family.heads.end(), [&](const HeadLayout& layout) {
    return layout.head == head && layout.legacy.value_or(config.legacy_masked_lm) == config.legacy_masked_lm;
  });
  return found == family.heads.end() ? nullptr : &*found;
}

Attention attention_of(const Family& family, const EncoderConfig& config) {
  if (config.position_embedding_type == "relative_key") return Attention::relative_key;
  if (config.position_embedding_type == "relative_key_query") return Attention::relative_key_query;
  return family.attention;
}

bool adds_positions(const Family& family, const EncoderConfig& config) {
  if (config.disentangled && !config.disentangled->absolute_positions) return false;
  return !family.embeddings.positions.empty() && config.position_embedding_type == "absolute";
}

std::int64_t position_padding(const Family& family, const EncoderConfig& config) {
  return family.position_padding.value_or(config.pad_token_id.value_or(0));
}

std::int64_t max_tokens(const Family& family, const EncoderConfig& config) {
  switch (family.positions) {
    case Positions::from_zero: return config.max_positions;
    case Positions::after_padding: return config.max_positions - position_padding(family, config) - 1;
  }
  throw Error(ErrorKind::internal, "", "a family counts positions in an unknown way");
}

std::int64_t max_tokens(const EncoderConfig& config) { return max_tokens(family_of(config), config); }

bool adds_types(const Family& family, const EncoderConfig& config) {
  return !family.embeddings.types.empty() && !(family.types_optional && config.type_vocab_size == 0);
}

bool takes_type_ids(const Family& family, const EncoderConfig& config) {
  return family.type_ids_input && adds_types(family, config);
}

bool takes_type_ids(const EncoderConfig& config) { return takes_type_ids(family_of(config), config); }

bool projects_embeddings(const Family& family, const EncoderConfig& config) {
  return family.embeddings.always_projected || config.embedding_size != config.hidden_size;
}

bool is_local(const checkpoint::RotaryAttention& rotary, std::int64_t layer) {
  return rotary.local.at(static_cast<std::size_t>(layer));
}

Pooling pooling_of(const HeadLayout& layout, const EncoderConfig& config) {
  switch (layout.pool) {
    case Pool::tokens: return Pooling::tokens;
    case Pool::first: return Pooling::first;
    case Pool::configured: return config.classifier_pooling == "mean" ? Pooling::mean : Pooling::first;
  }
  throw Error(ErrorKind::internal, "", "a head pools in an unknown way");
}

std::string_view transform_activation(const HeadLayout& layout, const EncoderConfig& config) {
  if (!layout.transform_activation.empty()) return layout.transform_activation;
  return layout.transform_configured ? config.head_activation : config.activation;
}

bool is_tied(const HeadLayout& layout, const EncoderConfig& config) {
  switch (layout.output_tied) {
    case checkpoint::Tied::no: return false;
    case checkpoint::Tied::unless_config_unties: return config.tie_word_embeddings;
    case checkpoint::Tied::always: return true;
  }
  throw Error(ErrorKind::internal, "", "a head is tied in an unknown way");
}

std::vector<std::string> layer_prefixes(const Family& family, const EncoderConfig& config, std::int64_t layer) {
  const std::string stem(family.encoder.layer_stem);
  if (family.encoder.inner_layer_stem.empty()) return {stem + std::to_string(layer) + "."};
  const std::int64_t group = layer * config.layer_groups / config.layers;
  std::vector<std::string> prefixes;
  for (std::int64_t inner = 0; inner < config.layers_in_group; ++inner) {
    prefixes.push_back(stem + std::to_string(group) + std::string(family.encoder.inner_layer_stem) +
                       std::to_string(inner) + ".");
  }
  return prefixes;
}

std::string weight_of(std::string_view module) { return std::string(module) + ".weight"; }
std::string bias_of(std::string_view module) { return std::string(module) + ".bias"; }

std::string output_bias_of(const HeadLayout& layout) {
  return layout.output_bias.empty() ? bias_of(layout.output) : std::string(layout.output_bias);
}

}  // namespace berth::encoder
