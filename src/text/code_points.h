// Stepping through text that is known to be valid UTF-8: no checks, made to be inlined. (Strangers' text: base/utf8.h.)
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/utf8.h"

namespace berth::text {

[[nodiscard]] inline bool is_ascii(char byte) noexcept { return static_cast<unsigned char>(byte) < 0x80; }
[[nodiscard]] inline bool starts_code_point(char byte) noexcept {
  return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
}

// The code point that starts at text[at].
[[nodiscard]] inline utf8::CodePoint code_point_at(std::string_view text, std::size_t at) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[at + i])); };
  const char32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xE0) return {(lead & 0x1F) << 6 | (byte(1) & 0x3F), 2};
  if (lead < 0xF0) return {(lead & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F), 3};
  return {(lead & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F), 4};
}

// The code point that ends before text[end], end > 0.
[[nodiscard]] inline utf8::CodePoint code_point_before(std::string_view text, std::size_t end) noexcept {
  std::size_t start = end - 1;
  while (!starts_code_point(text[start])) --start;
  return code_point_at(text, start);
}

[[nodiscard]] inline std::size_t count_code_points(std::string_view text) noexcept {
  std::size_t count = 0;
  for (const char byte : text) count += starts_code_point(byte) ? 1 : 0;
  return count;
}

inline void append_code_point(std::string& text, char32_t code_point) {
  if (code_point < 0x80) {
    text.push_back(static_cast<char>(code_point));
  } else {
    utf8::append(text, code_point);
  }
}

}  // namespace berth::text
