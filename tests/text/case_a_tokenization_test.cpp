// Part A of the cases (what went wrong for users of other systems), and those of part C that are about one text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "berth/error.h"
#include "fixtures.h"

namespace berth::text::test {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

TEST(CaseA01, AccentsFollowLowercasingOnlyWhenUnset) {
  EXPECT_EQ(ids_of(uncased(), "naïve café"), (Ids{2, 127, 128, 3}));
  EXPECT_EQ(offsets_of(uncased(), "naïve café"), (Spans{{0, 5}, {6, 10}}));
  EXPECT_EQ(ids_of(keep_accents(), "naïve café"), (Ids{2, 59, 72, 101, 93, 76, 129, 3}));
  EXPECT_EQ(ids_of(cased(), "naïve café"), (Ids{2, 59, 72, 101, 93, 76, 129, 3}));
}

TEST(CaseA02, NothingIsComposedBehindTheScenes) {
  EXPECT_EQ(ids_of(cased(), "\u00e1"), (Ids{2, 102, 3}));
  EXPECT_EQ(ids_of(cased(), "a\u0301"), (Ids{2, 46, 104, 3}));
  EXPECT_EQ(offsets_of(cased(), "a\u0301"), (Spans{{0, 1}, {1, 2}}));
}

TEST(CaseA03, StrippingDecomposesFullyFirst) {
  EXPECT_EQ(ids_of(uncased(), "Kantō lǜshi"), (Ids{2, 148, 149, 3}));
  EXPECT_EQ(offsets_of(uncased(), "Kantō lǜshi"), (Spans{{0, 5}, {6, 11}}));
}

TEST(CaseA03, MarksOfKanaAreMarks) {
  EXPECT_EQ(ids_of(uncased(), "アリババ"), (Ids{2, 118, 119, 120, 120, 3}));
  EXPECT_EQ(ids_of(keep_accents(), "アリババ"), (Ids{2, 118, 119, 121, 121, 3}));
}

TEST(CaseA04, IdeographsAreSplitAndKanaIsNot) {
  EXPECT_EQ(ids_of(uncased(), "東京タワー"), (Ids{2, 125, 126, 122, 123, 124, 3}));
  EXPECT_EQ(offsets_of(uncased(), "東京タワー"), (Spans{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}}));
  EXPECT_EQ(ids_of(uncased(), "a東b"), (Ids{2, 46, 125, 47, 3}));
}

TEST(CaseA05, InvisibleCharactersVanish) {
  const std::string nul(1, '\0');
  for (const std::string& invisible : {std::string("\u200b"), std::string("\u00ad"), std::string("\u200d"),
                                       std::string("\u2060"), std::string("\ufffd"), nul, std::string("\ue000")}) {
    EXPECT_EQ(ids_of(uncased(), "pa" + invisible + "ris"), (Ids{2, 136, 3}));
    EXPECT_EQ(offsets_of(uncased(), "pa" + invisible + "ris"), (Spans{{0, 6}}));
  }
  EXPECT_EQ(offsets_of(uncased(), "\ufeffparis"), (Spans{{1, 6}}));
}

TEST(CaseA05, LineSeparatorsSplit) {
  EXPECT_EQ(offsets_of(uncased(), "new\tyork\r\nparis"), (Spans{{0, 3}, {4, 8}, {10, 15}}));
  EXPECT_EQ(offsets_of(uncased(), "new\u2028york"), (Spans{{0, 3}, {4, 8}}));
}

TEST(CaseA06, AWordOfMoreThanAHundredCharactersIsUnknown) {
  EXPECT_THAT(offsets_of(uncased(), repeated("a", 100)), SizeIs(100));
  EXPECT_EQ(ids_of(uncased(), repeated("a", 101)), (Ids{2, 1, 3}));
  EXPECT_THAT(offsets_of(keep_accents(), repeated("é", 100)), SizeIs(100));
  EXPECT_EQ(ids_of(uncased(), repeated("a", 1'000'000)), (Ids{2, 1, 3}));
}

TEST(CaseA06, AnUnknownWordKeepsItsPlace) {
  EXPECT_EQ(ids_of(uncased(), "💩💩💩"), (Ids{2, 1, 3}));
  EXPECT_EQ(offsets_of(uncased(), "💩💩💩"), (Spans{{0, 3}}));
  EXPECT_EQ(offsets_of(uncased(), "💩 💩"), (Spans{{0, 1}, {2, 3}}));
}

TEST(CaseA07, AsciiSymbolsSplitAndOtherSymbolsDoNot) {
  EXPECT_EQ(ids_of(uncased(), "a$b^c`d"), (Ids{2, 46, 12, 47, 13, 48, 14, 49, 3}));
  EXPECT_EQ(ids_of(uncased(), "a–b"), (Ids{2, 46, 117, 47, 3}));
  EXPECT_EQ(ids_of(uncased(), "a€b"), (Ids{2, 1, 3}));
  EXPECT_EQ(offsets_of(uncased(), "a€b"), (Spans{{0, 3}}));
  EXPECT_EQ(ids_of(uncased(), "don't"), (Ids{2, 144, 9, 65, 3}));
}

TEST(CaseA08, SpecialTokensInTheTextAreSpecialUnlessSwitchedOff) {
  EXPECT_EQ(ids_of(uncased(), "paris [SEP] france"), (Ids{2, 136, 3, 143, 3}));
  EXPECT_THAT(uncased().encode("paris [SEP] france", {}).type_ids, testing::Each(0));
  const Ids plain{2, 136, 15, 64, 76, 87, 16, 143, 3};
  EXPECT_EQ(ids_of(uncased(), "paris [sep] france"), plain);
  EXPECT_EQ(uncased().encode("paris [SEP] france", {.special_tokens_in_text = false}).ids, plain);
}

TEST(CaseA09, APairIsCutAtItsLongerText) {
  const Encoding eight =
      uncased().encode_pair("john smith lives in paris", "new york is the capital", {.max_length = 8});
  EXPECT_EQ(eight.ids, (Ids{2, 132, 133, 3, 137, 138, 140, 3}));
  EXPECT_EQ(eight.type_ids, (Ids{0, 0, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(eight.sequence_ids, (Ids{kNone, 0, 0, kNone, 1, 1, 1, kNone}));
  EXPECT_TRUE(eight.truncated);
  const Encoding six = uncased().encode_pair("john smith lives in paris", "new york is the capital", {.max_length = 6});
  EXPECT_EQ(six.ids, (Ids{2, 132, 3, 137, 138, 3}));
  const Encoding seven = uncased().encode_pair("paris", "new york is the capital of france", {.max_length = 7});
  EXPECT_EQ(seven.ids, (Ids{2, 136, 3, 137, 138, 140, 3}));
}

EncodeOptions windows_of_the_second(std::size_t max_length, std::size_t stride) {
  return {.max_length = max_length, .truncation = Truncation::only_second, .stride = stride, .windows = true};
}

TEST(CaseA10, WindowsShareTheStride) {
  const std::string context = "john smith lives in new york the capital";
  const Encoding first = uncased().encode_pair("where", context, windows_of_the_second(8, 2));
  ASSERT_THAT(first.overflow, SizeIs(2));
  EXPECT_EQ(first.offsets, (Spans{{0, 0}, {0, 5}, {0, 0}, {0, 4}, {5, 10}, {11, 16}, {17, 19}, {0, 0}}));
  EXPECT_EQ(first.overflow[0].offsets, (Spans{{0, 0}, {0, 5}, {0, 0}, {11, 16}, {17, 19}, {20, 23}, {24, 28}, {0, 0}}));
  EXPECT_EQ(first.overflow[1].word_ids, (Ids{kNone, 0, kNone, 4, 5, 6, 7, kNone}));
  for (const std::size_t stride : {4U, 5U, 6U, 1000U}) {
    EXPECT_THROW((void)uncased().encode_pair("where", context, windows_of_the_second(8, stride)), Error);
  }
}

TEST(CaseA11, NothingToTokenizeGivesTheSpecialTokens) {
  for (const char* text : {"", " ", " \t\n\u3000", "\u200b"}) {
    const Encoding encoding = uncased().encode(text, {});
    EXPECT_EQ(encoding.ids, (Ids{2, 3}));
    EXPECT_EQ(encoding.offsets, (Spans{{0, 0}, {0, 0}}));
    EXPECT_FALSE(encoding.truncated);
  }
}

TEST(CaseA12, LettersThatBecomeTwoKeepTheAlignment) {
  EXPECT_EQ(ids_of(uncased(), "İstanbul"), (Ids{2, 150, 3}));
  EXPECT_EQ(offsets_of(uncased(), "İstanbul"), (Spans{{0, 8}}));
  EXPECT_EQ(ids_of(keep_accents(), "İstanbul")[1], 110);
  EXPECT_EQ(offsets_of(keep_accents(), "İstanbul")[0], (Span{0, 1}));
  EXPECT_EQ(offsets_of(keep_accents(), "İstanbul")[1].start, 1U);
  EXPECT_EQ(offsets_of(keep_accents(), "İstanbul").back().end, 8U);
  EXPECT_EQ(ids_of(keep_accents(), "ẞ"), (Ids{2, 108, 3}));
}

TEST(CaseC01, OffsetsAreCodePoints) { EXPECT_EQ(offsets_of(uncased(), "😀 john").back(), (Span{2, 6})); }

TEST(CaseC02, OffsetsStayRightAfterAccentsAndSpecialTokens) {
  EXPECT_EQ(offsets_of(uncased(), "naïve [MASK] paris"), (Spans{{0, 5}, {6, 12}, {13, 18}}));
}

TEST(CaseC02, NulDoesNotEndAText) {
  const std::string text("a\0b", 3);
  EXPECT_EQ(ids_of(uncased(), text), (Ids{2, 46, 73, 3}));
  EXPECT_EQ(offsets_of(uncased(), text), (Spans{{0, 1}, {2, 3}}));
}

TEST(CaseC04, EverySpaceSplits) {
  EXPECT_EQ(offsets_of(uncased(), "a\u3000b\u00a0c"), (Spans{{0, 1}, {2, 3}, {4, 5}}));
}

}  // namespace
}  // namespace berth::text::test
