// UTF-8: every code point, every short sequence of bytes, and replacement as Python does it.
#include "base/utf8.h"

#include <gmock/gmock.h>

namespace berth::utf8 {
namespace {

// RFC 3629, section 4, as a plain list of ranges: what the second byte may be for each first byte.
bool is_two_byte_character(unsigned first, unsigned second) {
  return first >= 0xC2 && first <= 0xDF && second >= 0x80 && second <= 0xBF;
}

TEST(Utf8, EveryCodePointComesBack) {
  for (char32_t value = 0; value <= 0x10FFFF; ++value) {
    if (value >= 0xD800 && value <= 0xDFFF) continue;
    const std::string bytes = to_utf8(std::u32string(1, value));
    const auto decoded = decode_one(bytes);
    ASSERT_TRUE(decoded.has_value()) << static_cast<std::uint32_t>(value);
    ASSERT_EQ(decoded->value, value);
    ASSERT_EQ(decoded->bytes, bytes.size());
    ASSERT_EQ(bytes.size(), value < 0x80 ? 1U : value < 0x800 ? 2U : value < 0x10000 ? 3U : 4U);
    ASSERT_EQ(to_utf32(bytes), std::u32string(1, value));
    ASSERT_FALSE(find_invalid(bytes).has_value());
    ASSERT_EQ(replace_invalid(bytes), bytes);
  }
}

TEST(Utf8, SurrogatesAndWhatIsBeyondUnicodeAreInvalid) {
  for (char32_t value = 0xD800; value <= 0xDFFF; ++value) {
    ASSERT_EQ(find_invalid(to_utf8(std::u32string(1, value))), 0U);
  }
  EXPECT_EQ(find_invalid("ok\xF4\x90\x80\x80"), 2U);
}

TEST(Utf8, OneByteIsACharacterOnlyInAscii) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    const std::string text(1, static_cast<char>(byte));
    ASSERT_EQ(decode_one(text).has_value(), byte < 0x80) << byte;
  }
}

TEST(Utf8, EveryPairOfBytes) {
  for (unsigned first = 0; first < 256; ++first) {
    for (unsigned second = 0; second < 256; ++second) {
      const std::string text{static_cast<char>(first), static_cast<char>(second)};
      const auto decoded = decode_one(text);
      const bool is_pair = is_two_byte_character(first, second);
      ASSERT_EQ(decoded.has_value(), first < 0x80 || is_pair) << first << " " << second;
      if (is_pair) {
        ASSERT_EQ(decoded->value, (first - 0xC0) * 64 + (second - 0x80));
      }
      const bool valid = is_pair || (first < 0x80 && second < 0x80);
      ASSERT_EQ(!find_invalid(text).has_value(), valid) << first << " " << second;
      ASSERT_FALSE(find_invalid(replace_invalid(text)).has_value());
    }
  }
}

struct Replacement {
  std::string bytes;
  std::u32string text;
};

// Made with Python 3.11: bytes.decode("utf-8", errors="replace").
const Replacement kReplacements[] = {
    {"", U""},
    {"plain", U"plain"},
    {"\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80", U"\u00E9\u4E2D\U0001F600"},
    {"\x80", U"\uFFFD"},
    {"\xBF\xBF", U"\uFFFD\uFFFD"},
    {"\x61\xC3", U"a\uFFFD"},
    {"\xC3\x28", U"\uFFFD("},
    {"\xC0\xAF", U"\uFFFD\uFFFD"},
    {"\xE2\x82", U"\uFFFD"},
    {"\xE2\x82\x28", U"\uFFFD("},
    {"\xE0\x80\xAF", U"\uFFFD\uFFFD\uFFFD"},
    {"\xED\xA0\x80", U"\uFFFD\uFFFD\uFFFD"},
    {"\xED\xB0\x80\x78", U"\uFFFD\uFFFD\uFFFDx"},
    {"\xF0\x9F\x98", U"\uFFFD"},
    {"\xF0\x9F\x98\x80\xF0", U"\U0001F600\uFFFD"},
    {"\xF0\x80\x80\x80", U"\uFFFD\uFFFD\uFFFD\uFFFD"},
    {"\xF4\x90\x80\x80", U"\uFFFD\uFFFD\uFFFD\uFFFD"},
    {"\xF5\x80\x80\x80", U"\uFFFD\uFFFD\uFFFD\uFFFD"},
    {"\xFF\xFE", U"\uFFFD\uFFFD"},
    {"\xF8\x88\x80\x80\x80", U"\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD"},
    {"\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41", U"\uFFFD\uFFFD\uFFFD\uFFFDA"},
    {"\x63\x61\x66\xE9\x20\x61\x75\x20\x6C\x61\x69\x74", U"caf\uFFFD au lait"},
    {"\xF0\x9F\x28\x80", U"\uFFFD(\uFFFD"},
    {"\xE4\xB8\xAD\xE4\xB8", U"\u4E2D\uFFFD"},
    {"\xF1\x80\x80\xC3\xA9", U"\uFFFD\u00E9"},
    {"\xDF\xDF\xBF", U"\uFFFD\u07FF"},
};

TEST(Utf8, ReplacesWhatPythonReplaces) {
  for (const Replacement& row : kReplacements) EXPECT_EQ(to_utf32(replace_invalid(row.bytes)), row.text) << row.bytes;
}

TEST(Utf8, FindsTheFirstInvalidByte) {
  EXPECT_EQ(find_invalid(""), std::nullopt);
  EXPECT_EQ(find_invalid("naïve 中 😀"), std::nullopt);
  EXPECT_EQ(find_invalid("caf\xE9 au lait"), 3U);
  EXPECT_EQ(find_invalid("ab\xE4\xB8"), 2U);
}

}  // namespace
}  // namespace berth::utf8
