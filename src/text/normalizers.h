// The second stage: text to the text that the model was trained on. A new kind is a struct in the variant, its
// normalize(), and a row in the table of tokenizer_json.cpp.
#pragma once

#include <optional>
#include <variant>

#include "text/aligned_text.h"

namespace berth::text {

// BERT's: control characters go, whitespace becomes a space, ideographs stand alone, accents go, letters become small.
struct BertNormalizer {
  bool clean_text = true;
  bool handle_chinese_chars = true;
  std::optional<bool> strip_accents = {};  // nothing: as `lowercase`
  bool lowercase = true;
};

using Normalizer = std::variant<std::monostate, BertNormalizer>;

[[nodiscard]] AlignedText normalize(std::monostate, AlignedText text);
[[nodiscard]] AlignedText normalize(const BertNormalizer& normalizer, const AlignedText& text);
[[nodiscard]] AlignedText normalize(const Normalizer& normalizer, AlignedText text);

}  // namespace berth::text
