// UTF-8: validation and decoding of strangers' text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace berth::utf8 {

struct CodePoint {
  char32_t value;
  std::size_t bytes;                                                 // how many it took in the text
};

// The code point at the head of a non-empty text, or nothing where no valid sequence starts (RFC 3629:
// no overlong forms, no surrogates, at most U+10FFFF).
[[nodiscard]] std::optional<CodePoint> decode_one(std::string_view text) noexcept;

// Byte offset of the first invalid sequence, or nothing.
[[nodiscard]] std::optional<std::size_t> find_invalid(std::string_view text) noexcept;

// Replaces each maximal invalid part by U+FFFD, as Python's errors="replace" does.
[[nodiscard]] std::string replace_invalid(std::string_view text);

void append(std::string& text, char32_t code_point);
[[nodiscard]] std::u32string to_utf32(std::string_view valid_text);
[[nodiscard]] std::string to_utf8(std::u32string_view text);

}  // namespace berth::utf8
