// From the tokens of one or two texts to the finished row and its further windows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "berth/text.h"
#include "text/post_processors.h"
#include "text/truncation.h"

namespace berth::text {

// The tokens of one text, before truncation and special tokens. All vectors are equally long.
struct TextTokens {
  std::vector<std::int32_t> ids;
  std::vector<Span> offsets;
  std::vector<std::int32_t> words;

  [[nodiscard]] std::size_t size() const noexcept { return ids.size(); }
};

// The tokens of text that a row of `max_length` holds beside its special ones; nothing: as many as there are.
// Throws Error{usage} when the options contradict each other, whatever the text.
[[nodiscard]] std::optional<std::size_t> room_for_text(const Template& row, const EncodeOptions& options);

// `texts` are one or two. Throws as room_for_text(), and Error{limit} for options that these texts cannot meet.
[[nodiscard]] Encoding assemble(const Template& row, std::span<const TextTokens> texts, const EncodeOptions& options);

}  // namespace berth::text
