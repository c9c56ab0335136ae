// How the families of encoders differ, as a row each: the fields of the config and their values when the file leaves
// them out, the names of the tensors, the heads, and which of the known blocks the family is made of. All that is
// not in a row is the same for all. A row stands in families/, one file a family. Source of truth: configuration_*.py
// and modeling_*.py of Transformers 4.57, with the names of tensors as tensor_names.h normalises them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/json.h"
#include "berth/checkpoint.h"

namespace berth::checkpoint {

// A field of config.json. An empty name: the family has no such field and `fallback` always holds.
// No fallback: the field must be there, for the shapes of the tensors would not show a wrong guess.
template <typename T>
struct Field {
  std::string_view name;
  std::optional<T> fallback;
};

struct ConfigFields {
  Field<std::int64_t> vocab_size{"vocab_size", 30522};
  Field<std::int64_t> embedding_size{"", 0};  // 0: as hidden_size
  Field<std::int64_t> hidden_size{"hidden_size", 768};
  Field<std::int64_t> layers{"num_hidden_layers", {}};
  Field<std::int64_t> heads{"num_attention_heads", {}};
  Field<std::int64_t> intermediate_size{"intermediate_size", 3072};
  Field<std::int64_t> max_positions{"max_position_embeddings", 512};
  Field<std::int64_t> type_vocab_size{"type_vocab_size", 2};
  Field<std::int64_t> pad_token_id{"pad_token_id", 0};
  Field<double> layer_norm_eps{"layer_norm_eps", 1e-12};
  Field<std::string_view> activation{"hidden_act", "gelu"};
  Field<std::string_view> head_activation{"", ""};
  Field<std::string_view> position_embedding_type{"", "absolute"};
  void (*read_own)(const json::Object& config, EncoderConfig& result) = nullptr;  // what no other family has
};

// Below, a "module" is what owns a weight and a bias: "pooler.dense" has "pooler.dense.weight" and "pooler.dense.bias".

struct EmbeddingLayout {
  std::string_view words{};      // tensors
  std::string_view positions{};  // empty: the family adds none
  std::string_view types{};      // empty: the family has no segments
  std::string_view norm{};       // module
  // A module between embeddings and layers where their widths differ, or always.
  std::string_view projection{};
  bool always_projected = false;
  bool projected_before_norm = false;  // and then without a bias
  bool masked = false;                 // what the mask hides is 0 after the normalization
};

// Which row of the position table a token takes: its index, or, after Transformers' create_position_ids_from_input_ids,
// the padding token's id and one more for each token so far that is not padding.
enum class Positions { from_zero, after_padding };

// How a layer's attention knows of positions, beside what the embeddings say.
enum class Attention {
  plain,               // Vaswani et al. 2017
  relative_key,        // Shaw et al. 2018: a vector a distance, against the query
  relative_key_query,  // Huang et al. 2020: against query and key
  relative_bias,       // Raffel et al. 2020: a number a head and bucket of distances, the same in all layers
  disentangled,        // He et al. 2021
  rotary,              // Su et al. 2021, in some layers within a window
};

// One layer's modules, each after the layer's own prefix.
struct LayerLayout {
  std::string_view query{};
  std::string_view key{};
  std::string_view value{};
  std::string_view query_key_value{};  // instead of the three: their rows one below the other
  std::string_view attention_output{};
  std::string_view attention_norm{};
  std::string_view intermediate{};  // when gated, of double height: what is bent, and what that is multiplied by
  std::string_view output{};
  std::string_view output_norm{};
  std::string_view distances{};            // tensor of relative_key: a row for each distance
  std::string_view distance_keys{};        // modules of disentangled attention, unless the config shares keys
  std::string_view distance_queries{};
};

// Tensors and modules beside the layers.
struct EncoderLayout {
  std::string_view layer_stem{};        // "encoder.layer.", before a layer's number
  std::string_view inner_layer_stem{};  // where layers come in groups, before the number within the group
  bool norm_first = false;              // normalization before attention and feed-forward part; the first layer's
                                        // attention reads the embeddings, which are normalized already
  bool gated = false;                   // Shazeer 2020
  std::string_view final_norm{};        // module after the last layer
  std::string_view relative_bias{};     // tensor [buckets, heads]
  std::string_view distances{};         // tensor of disentangled attention: a row for each distance
  std::string_view distances_norm{};    // module
  std::string_view convolution{};       // module beside the first layer, and its normalization
  std::string_view convolution_norm{};
};

// Which token's vector a head reads: all of them, the first, or what the config's classifier_pooling says.
enum class Pool { tokens, first, configured };

// Whether the last dense layer's weight is that of the word embeddings.
enum class Tied { no, unless_config_unties, always };

// Every head is [pooling] → [dense → activation → [layer norm]] → [dense]; what is empty is left out.
struct HeadLayout {
  Head head = Head::none;
  std::optional<bool> legacy{};             // only where the config's legacy_masked_lm is this
  Pool pool = Pool::tokens;
  std::string_view transform{};             // module of the dense layer before the last
  std::string_view transform_activation{};  // a name of the activation table; empty: the config's activation,
  bool transform_configured = false;        // or what it names for heads
  std::string_view transform_norm{};        // module
  bool transform_optional = false;          // a checkpoint may lack it: then the head goes without
  std::string_view output{};                // module of the last dense layer
  std::string_view output_bias{};           // tensor, where it is not OUTPUT.bias
  std::string_view output_bias_alias{};     // another name that older files give it
  Tied output_tied = Tied::no;
};

struct Family {
  std::string_view model_type{};            // "bert"
  std::string_view architecture_stem{};     // "Bert", as in "BertForMaskedLM"
  std::string_view base_prefix{};           // "bert.", before the names of the base model's tensors
  ConfigFields fields{};
  Positions positions = Positions::from_zero;
  std::optional<std::int64_t> position_padding{};  // of after_padding, where it is not the config's pad_token_id
  bool type_ids_input = false;              // token_type_ids is an input; without it all is segment 0
  bool types_optional = false;              // type_vocab_size may be 0: then there are no segments
  Attention attention = Attention::plain;
  bool relative_key_unscaled = false;       // scores of distances are not divided by the root of the head's width
  EmbeddingLayout embeddings{};
  EncoderLayout encoder{};
  LayerLayout layer{};
  std::span<const HeadLayout> heads{};
};

[[nodiscard]] std::span<const Family> families();

// Null for a type that has no row.
[[nodiscard]] const Family* find_family(std::string_view model_type);

// The family whose stem is followed by "Model" or "For…"; null when there is none.
[[nodiscard]] const Family* family_of_architecture(std::string_view architecture);

// The names of all families, for messages: "bert, roberta".
[[nodiscard]] std::string family_names();

// An integer of the config, read by a family's read_own. Error{invalid_input} when it is out of range.
[[nodiscard]] std::int64_t read_between(const json::Object& config, std::string_view field, std::int64_t fallback,
                                        std::int64_t low, std::int64_t high);

}  // namespace berth::checkpoint
