// The small files beside a tokenizer, in today's layout and in older ones. What each gives was checked with
// Transformers 4.57.6.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "berth/error.h"
#include "fixtures.h"

namespace berth::text::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(TokenizerConfig, ReadsAddedTokensInTheOldLayout) {
  TokenizerFolder folder;
  folder.with_case_vocabulary()
      .write("tokenizer_config.json", R"({"do_lower_case": true})")
      .write("added_tokens.json", R"({"[E1]": 157, "newtok": 156})")
      .write("special_tokens_map.json", R"({"unk_token": "[UNK]", "additional_special_tokens": ["[E1]"]})");
  const Tokenizer tokenizer = folder.load();
  EXPECT_EQ(ids_of(tokenizer, "NEWTOK[E1]"), (Ids{2, 156, 157, 3}));
  const Ids without = tokenizer.encode("[E1]", {.special_tokens_in_text = false}).ids;
  EXPECT_EQ(without.size(), 6U) << "[E1] is special, so it may be switched off";
}

TEST(TokenizerConfig, ReadsFlagsOfSpecialTokens) {
  TokenizerFolder folder;
  folder.with_case_vocabulary().write("tokenizer_config.json", R"({"do_lower_case": true, "mask_token":
      {"__type": "AddedToken", "content": "[MASK]", "lstrip": true, "normalized": false}})");
  EXPECT_EQ(offsets_of(folder.load(), "paris  [MASK]"), (Spans{{0, 5}, {5, 13}}));
}

TEST(TokenizerConfig, TakesTheNamesOfSpecialTokens) {
  TokenizerFolder folder;
  folder.write("vocab.txt", "<pad>\n<unk>\n<s>\n</s>\n<mask>\na\n")
      .write("special_tokens_map.json", R"({"pad_token": "<pad>", "unk_token": "<unk>", "cls_token": "<s>",
                                            "sep_token": {"content": "</s>"}, "mask_token": "<mask>"})");
  const Tokenizer tokenizer = folder.load({.lowercase = true});
  EXPECT_EQ(ids_of(tokenizer, "a z <mask>"), (Ids{2, 5, 1, 4, 3}));
  EXPECT_EQ(tokenizer.pad_id(), 0);
  EXPECT_EQ(tokenizer.mask_id(), 4);
}

TEST(TokenizerConfig, LeavesOutSpecialTokensThatAreInNoVocabulary) {
  TokenizerFolder folder;
  folder.write("vocab.txt", "[UNK]\n[CLS]\n[SEP]\na\n");
  const Tokenizer tokenizer = folder.load({.lowercase = true});
  EXPECT_EQ(tokenizer.pad_id(), std::nullopt);
  EXPECT_EQ(tokenizer.mask_id(), std::nullopt);
  EXPECT_EQ(tokenizer.vocabulary_size(), 4U);
}

TEST(TokenizerConfig, NeedsTheTokensOfEveryRow) {
  TokenizerFolder folder;
  folder.write("vocab.txt", "[UNK]\n[CLS]\na\n");
  EXPECT_THROW((void)folder.load(), Error);
}

TEST(TokenizerConfig, OfTwoEqualLinesTheLastCounts) {
  TokenizerFolder folder;
  folder.with_case_vocabulary().write("tokenizer_config.json", R"({"do_lower_case": true})");
  folder.write("vocab.txt", "[UNK]\n[CLS]\na\r[SEP]\na");
  EXPECT_EQ(ids_of(folder.load(), "a"), (Ids{1, 4, 3})) << "and a lone CR ends a line";
}

TEST(TokenizerConfig, OtherClassesDoNotOverrideTokenizerJson) {
  TokenizerFolder folder;
  folder.copy(berth::test::data("cases/tok-case-conflict/tokenizer.json"))
      .copy(berth::test::data("cases/tok-case-conflict/config.json"))
      .write("tokenizer_config.json", R"({"tokenizer_class": "PreTrainedTokenizerFast"})");
  const LogCapture log;
  EXPECT_EQ(ids_of(folder.load(), "Hello"), (Ids{2, 1, 3}));
  EXPECT_TRUE(log.warnings().empty());
}

TEST(TokenizerConfig, TheModelsTypeStandsInForTheClass) {
  TokenizerFolder folder;
  folder.copy(berth::test::data("cases/tok-case-conflict/tokenizer.json"))
      .copy(berth::test::data("cases/tok-case-conflict/config.json"));
  const LogCapture log;
  EXPECT_EQ(ids_of(folder.load(), "Hello"), (Ids{2, 130, 3}));
  EXPECT_THAT(log.warnings(), ElementsAre(HasSubstr("lowercase true instead of false")));
}

TEST(TokenizerConfig, StripAccentsAndIdeographsAreOverriddenToo) {
  TokenizerFolder folder;
  folder.copy(berth::test::data("cases/tok-baked/tokenizer.json"))
      .write("tokenizer_config.json", R"({"tokenizer_class": "ElectraTokenizerFast", "do_lower_case": true,
                                          "strip_accents": false, "tokenize_chinese_chars": false})");
  const LogCapture log;
  const Tokenizer tokenizer = folder.load();
  EXPECT_EQ(ids_of(tokenizer, "é 東京"), (Ids{2, 98, 1, 3}));
  EXPECT_EQ(offsets_of(tokenizer, "é 東京"), (Spans{{0, 1}, {2, 4}}));
  EXPECT_EQ(log.warnings().size(), 1U);
}

TEST(TokenizerConfig, AClassThatNeedsMoreThanAVocabularyIsRefused) {
  TokenizerFolder folder;
  folder.with_case_vocabulary().write("tokenizer_config.json", R"({"tokenizer_class": "BertJapaneseTokenizer"})");
  try {
    (void)folder.load();
    FAIL() << "expected an Error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unsupported);
    EXPECT_THAT(error.what(), HasSubstr("BertJapaneseTokenizer"));
  }
}

TEST(TokenizerConfig, AFolderWithoutATokenizerIsNotFound) {
  const TokenizerFolder folder;
  try {
    (void)folder.load();
    FAIL() << "expected an Error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::not_found);
  }
}

TEST(TokenizerConfig, FilesAreThoseThatAreThere) {
  const auto names = [](const Tokenizer& tokenizer) {
    std::vector<std::string> found;
    for (const fs::path& file : tokenizer.files()) found.push_back(file.filename());
    return found;
  };
  EXPECT_THAT(names(case_folder("tok-added")), ElementsAre("tokenizer.json", "tokenizer_config.json"));
  EXPECT_THAT(names(case_folder("tok-crlf")), ElementsAre("vocab.txt"));
}

}  // namespace
}  // namespace berth::text::test
