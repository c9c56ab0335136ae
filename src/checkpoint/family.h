// How the families of encoders spell the same things: a row a family, with the names of its config's fields, their
// values when the file leaves them out, and the prefix of its tensors. Source of truth: configuration_*.py and
// base_model_prefix of Transformers 4.57.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace berth::checkpoint {

// A field of config.json. An empty name: the family has no such field and `fallback` always holds.
// No fallback: the field must be there, for the shapes of the tensors would not show a wrong guess.
template <typename T>
struct Field {
  std::string_view name;
  std::optional<T> fallback;
};

struct FamilyRow {
  std::string_view model_type;         // "bert"
  std::string_view architecture_stem;  // "Bert", as in "BertForMaskedLM"
  std::string_view base_prefix;        // "bert.", before the names of the base model's tensors

  Field<std::int64_t> vocab_size;
  Field<std::int64_t> hidden_size;
  Field<std::int64_t> layers;
  Field<std::int64_t> heads;
  Field<std::int64_t> intermediate_size;
  Field<std::int64_t> max_positions;
  Field<std::int64_t> type_vocab_size;
  Field<std::int64_t> pad_token_id;
  Field<double> layer_norm_eps;
  Field<std::string_view> activation;
  Field<std::string_view> position_embedding_type;
};

[[nodiscard]] std::span<const FamilyRow> families();

// Null for a type that has no row.
[[nodiscard]] const FamilyRow* find_family(std::string_view model_type);

// The family whose stem is followed by "Model" or "For…"; null when there is none.
[[nodiscard]] const FamilyRow* family_of_architecture(std::string_view architecture);

// The names of all families, for messages: "bert".
[[nodiscard]] std::string family_names();

}  // namespace berth::checkpoint
