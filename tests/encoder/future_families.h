// Rows for families that the table does not have yet: they hold the table to its promise that a family is a row.
// Source of truth: modeling_roberta.py, modeling_distilbert.py and modeling_electra.py of Transformers 4.57.
#pragma once

#include <array>

#include "encoder/family.h"

namespace berth::test {

using encoder::Family;
using encoder::Head;
using encoder::HeadLayout;
using encoder::LayerLayout;
using encoder::Positions;

inline constexpr auto kRobertaHeads = std::to_array<HeadLayout>({
    {.head = Head::sequence_classification,
     .first_token = true,
     .transform = "classifier.dense",
     .transform_activation = "tanh",
     .output = "classifier.out_proj"},
    {.head = Head::masked_lm,
     .transform = "lm_head.dense",
     .transform_activation = "gelu",
     .transform_norm = "lm_head.layer_norm",
     .output = "lm_head.decoder",
     .output_bias = "lm_head.bias",
     .output_bias_alias = "lm_head.decoder.bias",
     .output_tied = true},
});

inline constexpr auto kDistilbertHeads = std::to_array<HeadLayout>({
    {.head = Head::none},
    {.head = Head::sequence_classification,
     .first_token = true,
     .transform = "pre_classifier",
     .transform_activation = "relu",
     .output = "classifier"},
});

inline constexpr auto kElectraHeads = std::to_array<HeadLayout>({
    {.head = Head::sequence_classification,
     .first_token = true,
     .transform = "classifier.dense",
     .transform_activation = "gelu",
     .output = "classifier.out_proj"},
    {.head = Head::masked_lm,
     .transform = "generator_predictions.dense",
     .transform_activation = "gelu",
     .transform_norm = "generator_predictions.LayerNorm",
     .output = "generator_lm_head",
     .output_tied = true},
});

inline constexpr LayerLayout kBertLayer{.query = "attention.self.query",
                                        .key = "attention.self.key",
                                        .value = "attention.self.value",
                                        .attention_output = "attention.output.dense",
                                        .attention_norm = "attention.output.LayerNorm",
                                        .intermediate = "intermediate.dense",
                                        .output = "output.dense",
                                        .output_norm = "output.LayerNorm"};

inline constexpr Family kRoberta{.model_type = "roberta",
                                 .architecture_stem = "Roberta",
                                 .positions = Positions::after_padding,
                                 .embeddings = {.words = "embeddings.word_embeddings.weight",
                                                .positions = "embeddings.position_embeddings.weight",
                                                .types = "embeddings.token_type_embeddings.weight",
                                                .norm = "embeddings.LayerNorm"},
                                 .layer_stem = "encoder.layer.",
                                 .layer = kBertLayer,
                                 .heads = kRobertaHeads};

inline constexpr Family kDistilbert{.model_type = "distilbert",
                                    .architecture_stem = "DistilBert",
                                    .embeddings = {.words = "embeddings.word_embeddings.weight",
                                                   .positions = "embeddings.position_embeddings.weight",
                                                   .norm = "embeddings.LayerNorm"},
                                    .layer_stem = "transformer.layer.",
                                    .layer = {.query = "attention.q_lin",
                                              .key = "attention.k_lin",
                                              .value = "attention.v_lin",
                                              .attention_output = "attention.out_lin",
                                              .attention_norm = "sa_layer_norm",
                                              .intermediate = "ffn.lin1",
                                              .output = "ffn.lin2",
                                              .output_norm = "output_layer_norm"},
                                    .heads = kDistilbertHeads};

inline constexpr Family kElectra{.model_type = "electra",
                                 .architecture_stem = "Electra",
                                 .type_ids_input = true,
                                 .embeddings = {.words = "embeddings.word_embeddings.weight",
                                                .positions = "embeddings.position_embeddings.weight",
                                                .types = "embeddings.token_type_embeddings.weight",
                                                .norm = "embeddings.LayerNorm",
                                                .projection = "embeddings_project"},
                                 .layer_stem = "encoder.layer.",
                                 .layer = kBertLayer,
                                 .heads = kElectraHeads};

}  // namespace berth::test
