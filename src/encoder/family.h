// What a family's row means for a config: which layers there are, which attention, which positions and segments.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "berth/checkpoint.h"
#include "berth/encoder.h"
#include "checkpoint/family.h"

namespace berth::encoder {

using checkpoint::Attention;
using checkpoint::EmbeddingLayout;
using checkpoint::EncoderLayout;
using checkpoint::Family;
using checkpoint::HeadLayout;
using checkpoint::LayerLayout;
using checkpoint::Pool;
using checkpoint::Positions;

// Error{unsupported} with the names that are known.
[[nodiscard]] const Family& family_of(const checkpoint::EncoderConfig& config);

// `model_type is "x", expected one of bert, roberta`
[[nodiscard]] std::string unsupported_family(std::string_view model_type);

// Null when the family has no such head.
[[nodiscard]] const HeadLayout* find_head(const Family& family, const checkpoint::EncoderConfig& config, Head head);

// How the layers attend; `absolute` and `relative_key` of the config's position_embedding_type are told apart here.
[[nodiscard]] Attention attention_of(const Family& family, const checkpoint::EncoderConfig& config);

// Whether a row of the position table is added to each token's embedding.
[[nodiscard]] bool adds_positions(const Family& family, const checkpoint::EncoderConfig& config);
// The id that Positions::after_padding counts from.
[[nodiscard]] std::int64_t position_padding(const Family& family, const checkpoint::EncoderConfig& config);
[[nodiscard]] std::int64_t max_tokens(const Family& family, const checkpoint::EncoderConfig& config);

// Whether a segment's vector is added, and whether token_type_ids say which.
[[nodiscard]] bool adds_types(const Family& family, const checkpoint::EncoderConfig& config);
[[nodiscard]] bool takes_type_ids(const Family& family, const checkpoint::EncoderConfig& config);

[[nodiscard]] bool projects_embeddings(const Family& family, const checkpoint::EncoderConfig& config);

// Whether layer N of a rotary model sees a window only.
[[nodiscard]] bool is_local(const checkpoint::RotaryAttention& rotary, std::int64_t layer);

enum class Pooling { tokens, first, mean };
[[nodiscard]] Pooling pooling_of(const HeadLayout& layout, const checkpoint::EncoderConfig& config);

// The name of the activation between a head's two dense layers.
[[nodiscard]] std::string_view transform_activation(const HeadLayout& layout, const checkpoint::EncoderConfig& config);

// Whether the head decodes with the word embeddings, whatever else the file holds.
[[nodiscard]] bool is_tied(const HeadLayout& layout, const checkpoint::EncoderConfig& config);

// The prefixes of the layers that hidden state N to N + 1 goes through, mostly one: {"encoder.layer.0."}.
[[nodiscard]] std::vector<std::string> layer_prefixes(const Family& family, const checkpoint::EncoderConfig& config,
                                                      std::int64_t layer);

// Names of a module's two tensors.
[[nodiscard]] std::string weight_of(std::string_view module);
[[nodiscard]] std::string bias_of(std::string_view module);
[[nodiscard]] std::string output_bias_of(const HeadLayout& layout);

}  // namespace berth::encoder
