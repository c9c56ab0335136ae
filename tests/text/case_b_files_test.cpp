// Part B of the cases: tokenizer files as people really have them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "berth/error.h"
#include "fixtures.h"

namespace berth::text::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Ids kHelloWorldParis{2, 130, 131, 136, 3};

std::string error_of(const std::string& folder) {
  try {
    (void)case_folder(folder);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(CaseB01, WindowsLineEndsAreLineEnds) {
  EXPECT_EQ(ids_of(case_folder("tok-crlf"), "Hello World PARIS"), kHelloWorldParis);
}

TEST(CaseB01, AByteOrderMarkIsDropped) {
  const Tokenizer tokenizer = case_folder("tok-bom");
  EXPECT_EQ(tokenizer.pad_id(), 0);
  EXPECT_EQ(tokenizer.vocabulary_size(), 156U);
}

TEST(CaseB01, BlankLinesCount) {
  EXPECT_EQ(ids_of(case_folder("tok-blankline"), "Hello World PARIS"), (Ids{2, 131, 132, 137, 3}));
}

TEST(CaseB02, AVocabularyAloneLowercasesWithAWarning) {
  TokenizerFolder folder;
  folder.with_case_vocabulary();
  const LogCapture log;
  EXPECT_EQ(ids_of(folder.load(), "Hello World PARIS"), kHelloWorldParis);
  EXPECT_THAT(log.warnings(), ElementsAre(AllOf(HasSubstr("vocab.txt"), HasSubstr("do_lower_case"))));
}

TEST(CaseB02, AFlagOverridesTheDefaultSilently) {
  TokenizerFolder folder;
  folder.with_case_vocabulary();
  const LogCapture log;
  EXPECT_EQ(ids_of(folder.load({.lowercase = false}), "Hello World PARIS"), (Ids{2, 1, 1, 1, 3}));
  EXPECT_THAT(log.warnings(), IsEmpty());
}

TEST(CaseB02, TheClassWinsOverTokenizerJsonWithAWarning) {
  const LogCapture log;
  EXPECT_EQ(ids_of(case_folder("tok-case-conflict"), "Hello World PARIS"), kHelloWorldParis);
  EXPECT_THAT(log.warnings(), ElementsAre(AllOf(HasSubstr("tokenizer.json"), HasSubstr("tokenizer_config.json"),
                                                HasSubstr("lowercase true instead of false"))));
}

TEST(CaseB02, AFlagOverridesBothFiles) {
  const LogCapture log;
  EXPECT_EQ(ids_of(case_folder("tok-case-conflict", {.lowercase = false}), "Hello World PARIS"), (Ids{2, 1, 1, 1, 3}));
  EXPECT_THAT(log.warnings(), IsEmpty());
}

TEST(CaseB03, StoredTruncationAndPaddingDoNotCount) {
  const Encoding encoding = case_folder("tok-baked").encode("john smith lives in paris the capital", {});
  EXPECT_EQ(encoding.ids, (Ids{2, 132, 133, 134, 135, 136, 139, 141, 3}));
  EXPECT_FALSE(encoding.truncated);
}

TEST(CaseB04, AnInsaneLengthLimitIsNone) {
  EXPECT_EQ(case_folder("tok-bigmax").model_max_length(), std::nullopt);
  EXPECT_EQ(case_folder("tok-baked").model_max_length(), 40U);
  std::string text;
  for (int i = 0; i < 60; ++i) text += "john ";
  const Encoding encoding = case_folder("tok-bigmax").encode(text, {.max_length = 40});
  EXPECT_EQ(encoding.ids.size(), 40U);
  EXPECT_TRUE(encoding.truncated);
}

TEST(CaseB05, AVocabularyWithoutTheUnknownTokenIsRefused) {
  EXPECT_THAT(error_of("tok-nounk"), AllOf(HasSubstr("vocab.txt"), HasSubstr("[UNK]")));
}

TEST(CaseB06, AnAddedTokenMatchesWholeWordsInAnyCase) {
  const Tokenizer tokenizer = case_folder("tok-added");
  EXPECT_EQ(tokenizer.vocabulary_size(), 157U);
  const Encoding encoding = tokenizer.encode("covid covidish xcovid COVID,covid", {});
  Ids words;
  for (std::size_t i = 0; i < encoding.ids.size(); ++i) {
    if (encoding.ids[i] == 156) words.push_back(encoding.word_ids[i]);
  }
  // Words 1, 4 and 5 of five; the comma is a word too.
  EXPECT_EQ(words, (Ids{0, 3, 5}));
}

TEST(CaseB07, AnotherKindOfModelIsRefusedByName) {
  EXPECT_THAT(error_of("tok-unigram"), AllOf(HasSubstr("tokenizer.json: model.type"), HasSubstr("\"Unigram\""),
                                             HasSubstr("supported: WordPiece")));
}

}  // namespace
}  // namespace berth::text::test
