// The table of families, and looking things up in it.
#include "checkpoint/family.h"

#include <algorithm>
#include <array>

namespace berth::checkpoint {
namespace {

constexpr auto kFamilies = std::to_array<FamilyRow>({
    {
        .model_type = "bert",
        .architecture_stem = "Bert",
        .base_prefix = "bert.",
        .vocab_size = {"vocab_size", 30522},
        .hidden_size = {"hidden_size", 768},
        .layers = {"num_hidden_layers", {}},
        .heads = {"num_attention_heads", {}},
        .intermediate_size = {"intermediate_size", 3072},
        .max_positions = {"max_position_embeddings", 512},
        .type_vocab_size = {"type_vocab_size", 2},
        .pad_token_id = {"pad_token_id", 0},
        .layer_norm_eps = {"layer_norm_eps", 1e-12},
        .activation = {"hidden_act", "gelu"},
        .position_embedding_type = {"position_embedding_type", "absolute"},
    },
});

}  // namespace

std::span<const FamilyRow> families() { return kFamilies; }

const FamilyRow* find_family(std::string_view model_type) {
  const auto* const found = std::find_if(kFamilies.begin(), kFamilies.end(),
                                         [&](const FamilyRow& row) { return row.model_type == model_type; });
  return found == kFamilies.end() ? nullptr : found;
}

const FamilyRow* family_of_architecture(std::string_view architecture) {
  const auto* const found = std::find_if(kFamilies.begin(), kFamilies.end(), [&](const FamilyRow& row) {
    if (!architecture.starts_with(row.architecture_stem)) return false;
    const std::string_view rest = architecture.substr(row.architecture_stem.size());
    return rest == "Model" || rest.starts_with("For");
  });
  return found == kFamilies.end() ? nullptr : found;
}

std::string family_names() {
  std::string names;
  for (const FamilyRow& row : kFamilies) names.append(names.empty() ? "" : ", ").append(row.model_type);
  return names;
}

}  // namespace berth::checkpoint
