// The generated ranges, unfolded into a table of two steps for speed; maps stay sorted and are searched.
#include "text/unicode.h"

#include <algorithm>
#include <map>

#include "text/unicode_tables.h"

namespace berth::text::unicode {
namespace {

constexpr std::size_t kCodePoints = 0x110000;
constexpr std::size_t kBlockSize = 256;
constexpr Range kHangulSyllables = {0xAC00, 0xD7A3};

template <typename Ranges>
void mark(std::vector<std::uint16_t>& properties, const Ranges& ranges, Property property) {
  for (const auto& range : ranges) {
    for (char32_t code_point = range.first; code_point <= range.last; ++code_point) properties[code_point] |= property;
  }
}

void mark_keys(std::vector<std::uint16_t>& properties, std::span<const Mapping> mappings, Property property) {
  for (const Mapping& mapping : mappings) properties[mapping.from] |= property;
}

std::vector<std::uint16_t> properties_of_all() {
  std::vector<std::uint16_t> all(kCodePoints);
  mark(all, kTables.clean_removed, kCleanRemoved);
  mark(all, kTables.clean_to_space, kCleanToSpace);
  mark(all, kTables.ideographs, kIdeograph);
  mark(all, kTables.accents, kAccent);
  mark(all, kTables.whitespace, kWhitespace);
  mark(all, kTables.punctuation, kPunctuation);
  mark(all, kTables.word, kWord);
  mark(all, kTables.combining_classes, kCombines);
  mark_keys(all, kTables.lowercase, kHasLowercase);
  mark_keys(all, kTables.decomposition, kDecomposes);
  mark(all, std::span(&kHangulSyllables, 1), kDecomposes);
  return all;
}

std::u32string_view look_up(std::span<const Mapping> mappings, char32_t code_point) noexcept {
  const auto found = std::lower_bound(mappings.begin(), mappings.end(), code_point,
                                      [](const Mapping& mapping, char32_t wanted) { return mapping.from < wanted; });
  if (found == mappings.end() || found->from != code_point) return {};
  return {kTables.targets.data() + found->offset, found->length};
}

}  // namespace

PropertyTable::PropertyTable() {
  const std::vector<std::uint16_t> all = properties_of_all();
  std::map<std::u16string_view, std::uint32_t> seen;
  for (std::size_t start = 0; start < kCodePoints; start += kBlockSize) {
    const std::u16string_view block(reinterpret_cast<const char16_t*>(all.data() + start), kBlockSize);
    const auto [known, is_new] = seen.try_emplace(block, static_cast<std::uint32_t>(seen.size()));
    if (is_new)
      properties_.insert(properties_.end(), all.begin() + static_cast<std::ptrdiff_t>(start),
                         all.begin() + static_cast<std::ptrdiff_t>(start + kBlockSize));
    blocks_.push_back(known->second);
  }
}

const PropertyTable& properties() {
  static const PropertyTable table;
  return table;
}

std::u32string_view lowercase_of(char32_t code_point) noexcept { return look_up(kTables.lowercase, code_point); }

std::u32string_view decomposition_of(char32_t code_point) noexcept {
  return look_up(kTables.decomposition, code_point);
}

std::uint8_t combining_class_of(char32_t code_point) noexcept {
  const auto& ranges = kTables.combining_classes;
  const auto found = std::lower_bound(ranges.begin(), ranges.end(), code_point,
                                      [](const ClassRange& range, char32_t wanted) { return range.last < wanted; });
  return found == ranges.end() || found->first > code_point ? std::uint8_t{0} : found->combining_class;
}

}  // namespace berth::text::unicode
