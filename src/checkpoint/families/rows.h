// The families' rows; each file here fills some. A new family is a new file and its name here and in ../family.cpp.
#pragma once

#include "checkpoint/family.h"

namespace berth::checkpoint::rows {

extern const Family kBert;
extern const Family kRoberta;
extern const Family kXlmRoberta;
extern const Family kCamembert;
extern const Family kDistilbert;
extern const Family kElectra;
extern const Family kAlbert;
extern const Family kMpnet;
extern const Family kDebertaV2;
extern const Family kModernbert;

// What BERT's closest kin take over from it.
inline constexpr EmbeddingLayout kBertEmbeddings{
    .words = "embeddings.word_embeddings.weight",
    .positions = "embeddings.position_embeddings.weight",
    .types = "embeddings.token_type_embeddings.weight",
    .norm = "embeddings.LayerNorm",
};
inline constexpr LayerLayout kBertLayer{
    .query = "attention.self.query",
    .key = "attention.self.key",
    .value = "attention.self.value",
    .attention_output = "attention.output.dense",
    .attention_norm = "attention.output.LayerNorm",
    .intermediate = "intermediate.dense",
    .output = "output.dense",
    .output_norm = "output.LayerNorm",
    .distances = "attention.self.distance_embedding.weight",
};
inline constexpr Field<std::string_view> kPositionEmbeddingType{"position_embedding_type", "absolute"};

inline constexpr HeadLayout kPooler{
    .head = Head::none,
    .pool = Pool::first,
    .transform = "pooler.dense",
    .transform_activation = "tanh",
    .transform_optional = true,
};
inline constexpr HeadLayout kTokenClassifier{.head = Head::token_classification, .output = "classifier"};
inline constexpr HeadLayout kAnswerSpans{.head = Head::question_answering, .output = "qa_outputs"};

}  // namespace berth::checkpoint::rows
