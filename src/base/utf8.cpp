// UTF-8 by RFC 3629; replacement of bad bytes as in chapter 3.9 of the Unicode standard ("maximal subparts").
#include "base/utf8.h"

namespace berth::utf8 {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

// What a lead byte announces: the length, and the range that its second byte must lie in.
struct Lead {
  std::size_t length;
  unsigned char second_low;
  unsigned char second_high;
};

Lead lead_of(unsigned char byte) noexcept {
  if (byte < 0x80) return {1, 0, 0};
  if (byte >= 0xC2 && byte <= 0xDF) return {2, 0x80, 0xBF};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte >= 0xE1 && byte <= 0xEF) return {3, 0x80, 0xBF};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte >= 0xF1 && byte <= 0xF3) return {4, 0x80, 0xBF};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

struct Sequence {
  std::size_t valid_bytes;  // how many bytes are the start of a valid sequence
  bool complete;
};

Sequence sequence_at(std::string_view text) noexcept {
  const Lead lead = lead_of(static_cast<unsigned char>(text[0]));
  if (lead.length == 0) return {1, false};
  for (std::size_t i = 1; i < lead.length; ++i) {
    if (i >= text.size()) return {i, false};
    const auto byte = static_cast<unsigned char>(text[i]);
    const unsigned char low = i == 1 ? lead.second_low : 0x80;
    const unsigned char high = i == 1 ? lead.second_high : 0xBF;
    if (byte < low || byte > high) return {i, false};
  }
  return {lead.length, true};
}

char32_t value_of(std::string_view sequence) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(sequence[i])); };
  switch (sequence.size()) {
    case 1: return byte(0);
    case 2: return (byte(0) & 0x1F) << 6 | (byte(1) & 0x3F);
    case 3: return (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    default: return (byte(0) & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
  }
}

}  // namespace

std::optional<CodePoint> decode_one(std::string_view text) noexcept {
  const Sequence sequence = sequence_at(text);
  if (!sequence.complete) return std::nullopt;
  return CodePoint{value_of(text.substr(0, sequence.valid_bytes)), sequence.valid_bytes};
}

std::optional<std::size_t> find_invalid(std::string_view text) noexcept {
  std::size_t at = 0;
  while (at < text.size()) {
    const Sequence sequence = sequence_at(text.substr(at));
    if (!sequence.complete) return at;
    at += sequence.valid_bytes;
  }
  return std::nullopt;
}

std::string replace_invalid(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    const Sequence sequence = sequence_at(text);
    if (sequence.complete) {
      valid += text.substr(0, sequence.valid_bytes);
    } else {
      append(valid, kReplacement);
    }
    text.remove_prefix(sequence.valid_bytes);
  }
  return valid;
}

void append(std::string& text, char32_t code_point) {
  const auto put = [&](char32_t bits) { text += static_cast<char>(bits); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xC0 | code_point >> 6);
    put(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    put(0xE0 | code_point >> 12);
    put(0x80 | (code_point >> 6 & 0x3F));
    put(0x80 | (code_point & 0x3F));
  } else {
    put(0xF0 | code_point >> 18);
    put(0x80 | (code_point >> 12 & 0x3F));
    put(0x80 | (code_point >> 6 & 0x3F));
    put(0x80 | (code_point & 0x3F));
  }
}

std::u32string to_utf32(std::string_view valid_text) {
  std::u32string code_points;
  code_points.reserve(valid_text.size());
  while (!valid_text.empty()) {
    const auto next = decode_one(valid_text);
    code_points += next ? next->value : kReplacement;
    valid_text.remove_prefix(next ? next->bytes : 1);
  }
  return code_points;
}

std::string to_utf8(std::u32string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  for (const char32_t code_point : text) append(bytes, code_point);
  return bytes;
}

}  // namespace berth::utf8
