// What tokenizer_config.json, special_tokens_map.json, added_tokens.json and config.json say of a tokenizer, weighed
// as Transformers 4.57 does. All are optional.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "text/added_tokens.h"

namespace berth::text {

struct TokenizerConfig {
  std::string tokenizer_class;  // without a final "Fast"; may be empty
  // The class, or where none is named the model's type, is one whose settings override those of tokenizer.json.
  bool is_bert_class = false;
  std::optional<bool> do_lower_case;
  std::optional<bool> strip_accents;
  std::optional<bool> tokenize_chinese_chars;
  std::optional<std::size_t> model_max_length;  // where it is a sane number

  AddedToken unk;
  AddedToken cls;
  AddedToken sep;
  AddedToken pad;
  AddedToken mask;
  std::vector<AddedToken> additional_special;
  std::vector<DeclaredToken> added;  // by id
};

[[nodiscard]] TokenizerConfig read_tokenizer_config(const std::filesystem::path& folder);

}  // namespace berth::text
