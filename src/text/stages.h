// A tokenizer as it was read: the stages in the order in which a text passes them.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "berth/text.h"
#include "text/added_tokens.h"
#include "text/models.h"
#include "text/normalizers.h"
#include "text/post_processors.h"
#include "text/pre_tokenizers.h"

namespace berth::text {

struct Stages {
  AddedTokens added_tokens;
  Normalizer normalizer;
  PreTokenizer pre_tokenizer;
  Model model;
  PostProcessor post_processor;

  std::optional<std::int32_t> pad_id = {};
  std::optional<std::int32_t> mask_id = {};
  std::optional<std::size_t> model_max_length = {};
  std::vector<std::filesystem::path> files = {};
};

}  // namespace berth::text
