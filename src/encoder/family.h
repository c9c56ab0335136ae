// What the families of encoders differ in, as a row of names and choices a family; all else they share. Source of
// truth: modeling_*.py of Transformers 4.57, with the names of tensors as `checkpoint` normalises them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "berth/checkpoint.h"
#include "berth/encoder.h"

namespace berth::encoder {

// Below, a "module" is what owns a weight and a bias: "pooler.dense" has "pooler.dense.weight" and "pooler.dense.bias".

struct EmbeddingLayout {
  std::string_view words{};  // tensors
  std::string_view positions{};
  std::string_view types{};       // empty: the family has no segments
  std::string_view norm{};        // module
  std::string_view projection{};  // module between embeddings and layers where their widths differ
};

// Which row of the position table a token takes: its index, or, after Transformers' create_position_ids_from_input_ids,
// the padding token's id and one more for each token so far that is not padding.
enum class Positions { from_zero, after_padding };

// One layer's modules, each after the layer's own prefix.
struct LayerLayout {
  std::string_view query{};
  std::string_view key{};
  std::string_view value{};
  std::string_view attention_output{};
  std::string_view attention_norm{};
  std::string_view intermediate{};
  std::string_view output{};
  std::string_view output_norm{};
};

// Every head is [first token] → [dense → activation → [layer norm]] → [dense]; what is empty is left out.
struct HeadLayout {
  Head head = Head::none;
  bool first_token = false;                 // one vector a text: that of its first token
  std::string_view transform{};             // module of the dense layer before the last
  std::string_view transform_activation{};  // a name of the activation table; empty: the config's
  std::string_view transform_norm{};        // module
  bool transform_optional = false;          // a checkpoint may lack it: then the head goes without
  std::string_view output{};                // module of the last dense layer
  std::string_view output_bias{};           // tensor, where it is not OUTPUT.bias
  std::string_view output_bias_alias{};     // another name that older files give it
  bool output_tied = false;                 // the weight is that of the word embeddings, unless the config unties them
};

struct Family {
  std::string_view model_type{};         // "bert"
  std::string_view architecture_stem{};  // "Bert", as in "BertForMaskedLM"
  Positions positions = Positions::from_zero;
  bool type_ids_input = false;  // token_type_ids is an input; without it all is segment 0
  EmbeddingLayout embeddings{};
  std::string_view layer_stem{};  // "encoder.layer.", before a layer's number
  LayerLayout layer{};
  std::span<const HeadLayout> heads{};
};

[[nodiscard]] std::span<const Family> families();

// Null for a type that has no row.
[[nodiscard]] const Family* find_family(std::string_view model_type);

// Error{unsupported} with the names that are known.
[[nodiscard]] const Family& family_of(const checkpoint::EncoderConfig& config);

// Null when the family has no such head.
[[nodiscard]] const HeadLayout* find_head(const Family& family, Head head);

// Names with the index of a layer in them, and those of a module's two tensors.
[[nodiscard]] std::int64_t max_tokens(const Family& family, const checkpoint::EncoderConfig& config);
[[nodiscard]] std::string layer_module(const Family& family, std::int64_t layer, std::string_view module);
[[nodiscard]] std::string weight_of(std::string_view module);
[[nodiscard]] std::string bias_of(std::string_view module);
[[nodiscard]] std::string output_bias_of(const HeadLayout& layout);

// `model_type is "x", expected one of bert`
[[nodiscard]] std::string unsupported_family(std::string_view model_type);

}  // namespace berth::encoder
