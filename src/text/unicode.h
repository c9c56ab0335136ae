// What the stages ask about a code point. The answers are those of `tokenizers` 0.22.2, which mixes four versions of
// Unicode (8 for BERT's accents, controls and punctuation, 9 for decomposition, newer ones for case and words), so no
// general library will do.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace berth::text::unicode {

// Bits of a code point's properties.
enum Property : std::uint16_t {
  kCleanRemoved = 1U << 0,  // BertNormalizer's clean_text drops it,
  kCleanToSpace = 1U << 1,  // or makes it a space
  kIdeograph = 1U << 2,     // gets spaces around it
  kAccent = 1U << 3,        // nonspacing mark
  kWhitespace = 1U << 4,
  kPunctuation = 1U << 5,  // as BertPreTokenizer sees it
  kWord = 1U << 6,         // \w of a regular expression
  kHasLowercase = 1U << 7,
  kDecomposes = 1U << 8,
  kCombines = 1U << 9,  // has a combining class
};

// Properties by two steps: the block of 256 code points, then the place in the block. Equal blocks stand once.
class PropertyTable {
 public:
  PropertyTable();
  [[nodiscard]] std::uint16_t of(char32_t code_point) const noexcept {
    return properties_[static_cast<std::size_t>(blocks_[code_point >> 8] << 8 | (code_point & 0xFF))];
  }
  [[nodiscard]] bool has(char32_t code_point, std::uint16_t properties) const noexcept {
    return (of(code_point) & properties) != 0;
  }

 private:
  std::vector<std::uint32_t> blocks_;
  std::vector<std::uint16_t> properties_;
};

// Built at the first call.
[[nodiscard]] const PropertyTable& properties();

// What a code point with kHasLowercase becomes; per code point, so there is no final sigma.
[[nodiscard]] std::u32string_view lowercase_of(char32_t code_point) noexcept;

// The full canonical decomposition of a code point with kDecomposes, other than a Hangul syllable.
[[nodiscard]] std::u32string_view decomposition_of(char32_t code_point) noexcept;

// The canonical combining class; 0 without kCombines.
[[nodiscard]] std::uint8_t combining_class_of(char32_t code_point) noexcept;

}  // namespace berth::text::unicode
