// The stages that a tokenizer.json describes.
#pragma once

#include <filesystem>
#include <vector>

#include "text/added_tokens.h"
#include "text/models.h"
#include "text/normalizers.h"
#include "text/post_processors.h"
#include "text/pre_tokenizers.h"

namespace berth::text {

struct TokenizerJson {
  std::vector<DeclaredToken> added_tokens;
  Normalizer normalizer;
  PreTokenizer pre_tokenizer;
  Model model;
  PostProcessor post_processor;
};

// The decoder, truncation and padding do not count. Throws Error{unsupported} with the path of a stage whose type is
// not known and the types that are, Error{invalid_input} for what is broken.
[[nodiscard]] TokenizerJson read_tokenizer_json(const std::filesystem::path& path);

}  // namespace berth::text
