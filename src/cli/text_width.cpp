// Column counts after Unicode 15: the blocks of EastAsianWidth.txt that are W or F, and the common zero-width ranges.
#include "cli/text_width.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "base/utf8.h"

namespace berth::cli {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

constexpr std::array kZeroWidth{
    Range{0x0300, 0x036F}, Range{0x0483, 0x0489}, Range{0x0591, 0x05BD},   Range{0x0610, 0x061A},
    Range{0x064B, 0x065F}, Range{0x0900, 0x0902}, Range{0x093A, 0x093A},   Range{0x093C, 0x093C},
    Range{0x0941, 0x0948}, Range{0x094D, 0x094D}, Range{0x0E31, 0x0E31},   Range{0x0E34, 0x0E3A},
    Range{0x0E47, 0x0E4E}, Range{0x1AB0, 0x1AFF}, Range{0x1DC0, 0x1DFF},   Range{0x200B, 0x200F},
    Range{0x202A, 0x202E}, Range{0x2060, 0x2064}, Range{0x20D0, 0x20F0},   Range{0xFE00, 0xFE0F},
    Range{0xFE20, 0xFE2F}, Range{0xFEFF, 0xFEFF}, Range{0x1F3FB, 0x1F3FF}, Range{0xE0100, 0xE01EF}};

constexpr std::array kWide{
    Range{0x1100, 0x115F},   Range{0x231A, 0x231B},   Range{0x23E9, 0x23EC},   Range{0x2614, 0x2615},
    Range{0x26A1, 0x26A1},   Range{0x2705, 0x2705},   Range{0x274C, 0x274C},   Range{0x2753, 0x2755},
    Range{0x2795, 0x2797},   Range{0x2B50, 0x2B50},   Range{0x2E80, 0x303E},   Range{0x3041, 0x33FF},
    Range{0x3400, 0x4DBF},   Range{0x4E00, 0xA4CF},   Range{0xA960, 0xA97F},   Range{0xAC00, 0xD7A3},
    Range{0xF900, 0xFAFF},   Range{0xFE30, 0xFE6F},   Range{0xFF00, 0xFF60},   Range{0xFFE0, 0xFFE6},
    Range{0x16FE0, 0x18CFF}, Range{0x1AFF0, 0x1B2FF}, Range{0x1F004, 0x1F004}, Range{0x1F18E, 0x1F19A},
    Range{0x1F200, 0x1F320}, Range{0x1F32D, 0x1F3FA}, Range{0x1F400, 0x1F64F}, Range{0x1F680, 0x1F6FF},
    Range{0x1F7E0, 0x1F7EB}, Range{0x1F900, 0x1F9FF}, Range{0x1FA70, 0x1FAFF}, Range{0x20000, 0x3FFFD}};

template <std::size_t size>
bool is_in(const std::array<Range, size>& ranges, char32_t value) {
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), value,
                                      [](char32_t v, const Range& range) { return v < range.first; });
  return after != ranges.begin() && value <= std::prev(after)->last;
}

std::size_t width_of(char32_t value) {
  if (value < 0x20 || value == 0x7F || is_in(kZeroWidth, value)) return 0;
  return is_in(kWide, value) ? 2 : 1;
}

}  // namespace

std::size_t text_width(std::string_view text) {
  std::size_t width = 0;
  for (const char32_t value : utf8::to_utf32(text)) width += width_of(value);
  return width;
}

std::string fit(std::string_view text, std::size_t width) {
  const std::size_t needed = text_width(text);
  std::string fitted;
  if (needed <= width) {
    fitted = text;
    return fitted.append(width - needed, ' ');
  }
  if (width == 0) return fitted;
  std::size_t used = 0;
  for (const char32_t value : utf8::to_utf32(text)) {
    if (used + width_of(value) > width - 1) break;
    used += width_of(value);
    utf8::append(fitted, value);
  }
  return (fitted += "…").append(width - 1 - used, ' ');
}

std::string printable(std::string_view text, bool lines) {
  std::string shown;
  for (const char32_t value : utf8::to_utf32(utf8::replace_invalid(text))) {
    const bool control = value < 0x20 || (value >= 0x7F && value < 0xA0) || (value >= 0x202A && value <= 0x202E) ||
                         (value >= 0x2066 && value <= 0x2069);  // C0, C1, and what reorders a line
    if (control && !(lines && value == '\n')) {
      const auto number = static_cast<std::uint32_t>(value);
      shown += number < 0x100 ? fmt::format("\\x{:02x}", number) : fmt::format("\\u{:04x}", number);
    } else {
      utf8::append(shown, value);
    }
  }
  return shown;
}

std::string wrap(std::string_view text, std::size_t width, std::string_view indent) {
  std::string wrapped;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    const std::size_t needed = text_width(word);
    if (column != 0 && column + 1 + needed > width) {
      (wrapped += '\n') += indent;
      column = 0;
    } else if (column != 0) {
      wrapped += ' ';
      ++column;
    }
    wrapped += word;
    column += needed;
  }
  return wrapped;
}

}  // namespace berth::cli
