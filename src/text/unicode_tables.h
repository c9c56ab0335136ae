// The character tables as they are generated: sorted ranges, and maps from one code point to a few.
#pragma once

#include <cstdint>
#include <span>

namespace berth::text::unicode {

struct Range {
  char32_t first;
  char32_t last;
};

struct ClassRange {
  char32_t first;
  char32_t last;
  std::uint8_t combining_class;
};

struct Mapping {
  char32_t from;
  std::uint16_t offset;  // of what it becomes, in `targets`
  std::uint16_t length;
};

struct Tables {
  std::span<const Range> clean_removed;
  std::span<const Range> clean_to_space;
  std::span<const Range> ideographs;
  std::span<const Range> accents;
  std::span<const Range> whitespace;
  std::span<const Range> punctuation;
  std::span<const Range> word;
  std::span<const ClassRange> combining_classes;
  std::span<const Mapping> lowercase;
  std::span<const Mapping> decomposition;
  std::span<const char32_t> targets;
};

extern const Tables kTables;

}  // namespace berth::text::unicode
