// The stages on their own: where they can go wrong unseen in whole texts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "fixtures.h"
#include "text/normalizers.h"
#include "text/trie.h"
#include "text/truncation.h"
#include "text/unicode.h"

namespace berth::text::test {
namespace {

TEST(Normalizer, SortsMarksAndAlignsThemByPosition) {
  // U+1D16D (class 226) before U+1D165 (class 216), both of which survive stripping; the spans stay in text order.
  const AlignedText text = normalize(BertNormalizer{}, align("a\U0001D16D\U0001D165b", 0));
  EXPECT_EQ(text.bytes, "a\U0001D165\U0001D16Db");
  EXPECT_EQ(text.spans[1], (Span{1, 2}));
  EXPECT_EQ(text.spans[5], (Span{2, 3}));
  EXPECT_EQ(text.spans[9], (Span{3, 4}));
}

TEST(Normalizer, HangulComesApartWhenAccentsAreStripped) {
  const AlignedText text = normalize(BertNormalizer{}, align("x각", 0));
  EXPECT_EQ(text.bytes, "x\u1100\u1161\u11a8");
  EXPECT_EQ(text.spans.back(), (Span{1, 2}));
  EXPECT_EQ(normalize(BertNormalizer{.lowercase = false}, align("각", 0)).bytes, "각");
}

TEST(Normalizer, SettingsWorkAlone) {
  const std::string text = "A\u0001É\t東";
  const auto bytes = [&](const BertNormalizer& normalizer) { return normalize(normalizer, align(text, 0)).bytes; };
  EXPECT_EQ(bytes({false, false, false, false}), text);
  EXPECT_EQ(bytes({true, false, false, false}), "AÉ 東");
  EXPECT_EQ(bytes({false, true, false, false}), "A\u0001É\t 東 ");
  EXPECT_EQ(bytes({false, false, true, false}), "A\u0001E\t東");
  EXPECT_EQ(bytes({false, false, false, true}), "a\u0001é\t東");
  EXPECT_EQ(bytes({false, false, {}, true}), "a\u0001e\t東");
}

TEST(Normalizer, TheIdeographRangeHasTheReferencesSlip) {
  const BertNormalizer spaces{false, true, false, false};
  EXPECT_EQ(normalize(spaces, align("\U0002B91F\U0002B920", 0)).bytes, "\U0002B91F \U0002B920 ");
}

TEST(Unicode, VersionsAreThoseOfTheReference) {
  const unicode::PropertyTable& table = unicode::properties();
  EXPECT_TRUE(table.has(U'\u0F35', unicode::kAccent));
  EXPECT_FALSE(table.has(U'\u08D4', unicode::kAccent)) << "a mark of Unicode 9";
  EXPECT_TRUE(table.has(U'\u08D4', unicode::kCombines));
  EXPECT_FALSE(table.has(U'\u0888', unicode::kCleanRemoved)) << "unassigned is not removed";
  EXPECT_TRUE(table.has(0xFFFFD, unicode::kCleanRemoved));
  EXPECT_FALSE(table.has(0xFFFFE, unicode::kCleanRemoved));
  EXPECT_EQ(unicode::lowercase_of(U'İ'), U"i\u0307");
  EXPECT_EQ(unicode::decomposition_of(U'ǜ'), U"u\u0308\u0300");
  EXPECT_EQ(unicode::combining_class_of(U'\u0301'), 230);
  EXPECT_EQ(unicode::combining_class_of(U'a'), 0);
}

TEST(Trie, FindsWhatASearchThroughAllKeysFinds) {
  std::mt19937 random(7);
  const auto word = [&](std::size_t longest) {
    std::string text;
    for (std::size_t size = random() % (longest + 1); size > 0; --size)
      text += static_cast<char>("abc\xC3\x00"[random() % 5]);
    return text;
  };
  std::map<std::string, std::int32_t> keys;
  for (std::int32_t i = 0; i < 300; ++i) keys.emplace(word(6), i);
  std::vector<Trie::Entry> entries;
  for (const auto& [key, value] : keys) entries.push_back({key, value});
  const Trie trie(entries);
  for (const auto& [key, value] : keys) EXPECT_EQ(trie.find(key), value);
  for (int i = 0; i < 5000; ++i) {
    const std::string text = word(9);
    Trie::Match best;
    for (std::size_t size = 1; size <= text.size(); ++size) {
      if (const auto found = keys.find(text.substr(0, size)); found != keys.end()) best = {found->second, size};
    }
    EXPECT_EQ(trie.longest(text).value, best.value);
    EXPECT_EQ(trie.longest(text).length, best.length);
    EXPECT_EQ(trie.find(text), keys.contains(text) ? keys.at(text) : -1);
  }
}

TEST(Trie, WithoutKeysFindsNothing) {
  EXPECT_EQ(Trie().longest("abc").value, -1);
  EXPECT_EQ(Trie().next_start("abc", 0), 3U);
}

// "Longest first" as it is described: tokens go one by one from the longer text (from the first of two equal ones).
Lengths one_by_one(Lengths lengths, std::size_t room) {
  while (lengths.first + lengths.second > room) --(lengths.first >= lengths.second ? lengths.first : lengths.second);
  return lengths;
}

TEST(Truncation, LongestFirstIsNearlyCuttingOneByOne) {
  for (std::size_t first = 0; first < 12; ++first) {
    for (std::size_t second = 0; second < 12; ++second) {
      for (std::size_t room = 0; room < 24; ++room) {
        const Lengths kept = truncate({first, second}, room, Truncation::longest_first);
        const Lengths slow = one_by_one({first, second}, room);
        EXPECT_EQ(kept.first + kept.second, slow.first + slow.second);
        // The reference gives the odd token to the longer text, where one by one it always goes to the second.
        EXPECT_LE(kept.first > slow.first ? kept.first - slow.first : slow.first - kept.first, 1U);
        if (first <= second) {
          EXPECT_EQ(kept.first, slow.first);
        }
      }
    }
  }
}

TEST(Truncation, WindowsShareTheStrideAndEndAtTheEnd) {
  for (std::size_t count = 0; count < 20; ++count) {
    for (std::size_t length = 1; length < 8; ++length) {
      for (std::size_t stride = 0; stride < length; ++stride) {
        const std::vector<Window> windows = windows_over(count, length, stride);
        EXPECT_EQ(windows.front().begin, 0U);
        EXPECT_EQ(windows.back().end, count);
        for (std::size_t i = 1; i < windows.size(); ++i) {
          EXPECT_EQ(windows[i - 1].end - windows[i].begin, stride);
          EXPECT_GT(windows[i].end, windows[i - 1].end) << "each window brings something new";
        }
      }
    }
  }
}

}  // namespace
}  // namespace berth::text::test
