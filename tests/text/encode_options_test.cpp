// What the caller may ask of a row: its length, its windows, its special tokens, its bytes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "berth/error.h"
#include "fixtures.h"

namespace berth::text::test {
namespace {

using testing::SizeIs;

ErrorKind kind_of_error(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::internal;
}

TEST(EncodeOptions, WithoutSpecialTokensOnlyTheTextIsThere) {
  const Encoding encoding = uncased().encode_pair("paris", "france", {.special_tokens = false});
  EXPECT_EQ(encoding.ids, (Ids{136, 143}));
  EXPECT_EQ(encoding.type_ids, (Ids{0, 1}));
}

TEST(EncodeOptions, ALimitBelowTheSpecialTokensIsRefused) {
  const Tokenizer tokenizer = uncased();
  EXPECT_EQ(kind_of_error([&] { (void)tokenizer.encode("paris", {.max_length = 1}); }), ErrorKind::usage);
  EXPECT_EQ(kind_of_error([&] { (void)tokenizer.encode_pair("a", "b", {.max_length = 2}); }), ErrorKind::usage);
  EXPECT_EQ(kind_of_error([&] { (void)tokenizer.encode_words({"a"}, {.max_length = 0}); }), ErrorKind::usage);
}

TEST(EncodeOptions, ALimitOfJustTheSpecialTokensHoldsNoText) {
  const Encoding encoding = uncased().encode("paris", {.max_length = 2});
  EXPECT_EQ(encoding.ids, (Ids{2, 3}));
  EXPECT_TRUE(encoding.truncated);
  EXPECT_EQ(kind_of_error([] { (void)uncased().encode("paris", {.max_length = 2, .windows = true}); }),
            ErrorKind::usage);
}

TEST(EncodeOptions, TruncatedSaysWhetherTextWasCut) {
  const Tokenizer tokenizer = uncased();
  EXPECT_FALSE(tokenizer.encode("john smith", {.max_length = 4}).truncated);
  EXPECT_TRUE(tokenizer.encode("john smith", {.max_length = 3}).truncated);
  EXPECT_FALSE(tokenizer.encode_words({"john", "smith"}, {.max_length = 4}).truncated);
  EXPECT_TRUE(tokenizer.encode_words({"john", "smith"}, {.max_length = 3}).truncated);
  EXPECT_FALSE(tokenizer.encode_pair("john", "smith", {.max_length = 5}).truncated);
  EXPECT_TRUE(tokenizer.encode_pair("john", "smith", {.max_length = 4}).truncated);
  EXPECT_TRUE(tokenizer.encode_pair("john", "john smith", {.max_length = 5, .windows = true}).overflow[0].truncated);
}

TEST(EncodeOptions, TheStrategyThatCannotBeMetIsRefused) {
  const Tokenizer tokenizer = uncased();
  const EncodeOptions second{.max_length = 6, .truncation = Truncation::only_second};
  EXPECT_EQ(kind_of_error([&] { (void)tokenizer.encode_pair("john smith lives in paris", "paris", second); }),
            ErrorKind::limit);
  EXPECT_EQ(kind_of_error([&] { (void)tokenizer.encode("paris", second); }), ErrorKind::usage);
}

TEST(EncodeOptions, AStrideThatDoesNotFitIsRefusedWhateverTheText) {
  for (const std::size_t stride : {std::size_t{6}, std::size_t{7}, SIZE_MAX}) {
    EXPECT_EQ(kind_of_error([&] { (void)uncased().encode("a", {.max_length = 8, .stride = stride}); }),
              ErrorKind::usage);
  }
}

TEST(EncodeOptions, WindowsCoverTheWholeText) {
  const Encoding encoding = uncased().encode("a b c d e f g", {.max_length = 5, .stride = 1, .windows = true});
  EXPECT_EQ(encoding.ids, (Ids{2, 46, 47, 48, 3}));
  ASSERT_THAT(encoding.overflow, SizeIs(2));
  EXPECT_EQ(encoding.overflow[0].ids, (Ids{2, 48, 49, 50, 3}));
  EXPECT_EQ(encoding.overflow[1].ids, (Ids{2, 50, 51, 52, 3}));
}

TEST(EncodeOptions, WindowsOfTwoTextsAreBounded) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "a ";
  EXPECT_EQ(kind_of_error([&] { (void)uncased().encode_pair(text, text, {.max_length = 7, .windows = true}); }),
            ErrorKind::limit);
}

TEST(EncodeOptions, WordsKeepTheirNumbersAndTheirOwnOffsets) {
  const Encoding encoding = uncased().encode_words({"New York", "", "unaffable"}, {});
  EXPECT_EQ(encoding.ids, (Ids{2, 137, 138, 145, 146, 147, 3}));
  EXPECT_EQ(encoding.word_ids, (Ids{kNone, 0, 0, 2, 2, 2, kNone}));
  EXPECT_EQ(encoding.offsets, (Spans{{0, 0}, {0, 3}, {4, 8}, {0, 2}, {2, 5}, {5, 9}, {0, 0}}));
}

TEST(EncodeOptions, InvalidUtf8IsReplacedOrRefused) {
  const std::string text = "a\xFFparis \xE2\x82";
  EXPECT_EQ(offsets_of(uncased(), text), (Spans{{0, 1}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}}));
  try {
    (void)uncased().encode(text, {.invalid_utf8 = InvalidUtf8::refuse});
    FAIL() << "expected an Error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid_input);
    EXPECT_THAT(error.what(), testing::HasSubstr("byte 1"));
  }
}

TEST(EncodeOptions, TokensAndIdsAreFoundBothWays) {
  const Tokenizer tokenizer = case_folder("tok-added");
  EXPECT_EQ(tokenizer.id_of("paris"), 136);
  EXPECT_EQ(tokenizer.id_of("covid"), 156);
  EXPECT_EQ(tokenizer.id_of("##able"), 147);
  EXPECT_EQ(tokenizer.id_of("Paris"), std::nullopt);
  EXPECT_EQ(tokenizer.token_of(156), "covid");
  EXPECT_EQ(tokenizer.token_of(4), "[MASK]");
  EXPECT_EQ(tokenizer.mask_id(), 4);
  for (const std::int32_t id : {-1, 157, INT32_MAX}) EXPECT_THROW((void)tokenizer.token_of(id), Error);
}

}  // namespace
}  // namespace berth::text::test
