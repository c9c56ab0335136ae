// Tokens beside the vocabulary: how they are found, and which ids they get.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "berth/error.h"
#include "fixtures.h"
#include "text/added_tokens.h"

namespace berth::text::test {
namespace {

using testing::ElementsAre;

Vocabulary vocabulary() { return {{{"[UNK]", 0}, {"a", 1}, {"b", 2}}, "test"}; }

struct Found {
  std::string text;
  std::int32_t token;
  friend bool operator==(const Found&, const Found&) = default;
};
std::ostream& operator<<(std::ostream& out, const Found& found) { return out << found.text << "/" << found.token; }

std::vector<Found> split(const std::vector<DeclaredToken>& tokens, std::string_view text, bool special_tokens = true) {
  AddedTokens added;
  added.add(tokens, vocabulary());
  added.prepare({});
  std::vector<Found> found;
  for (const Piece& piece : added.split_raw(text, special_tokens)) {
    found.push_back({std::string(text.substr(piece.begin, piece.end - piece.begin)), piece.token});
  }
  return found;
}

TEST(AddedTokens, TakeTheLongestMatchOfTheLeftmost) {
  EXPECT_THAT(split({{{.content = "ab"}}, {{.content = "abc"}}, {{.content = "bcd"}}}, "xabcd"),
              ElementsAre(Found{"x", kNone}, Found{"abc", 4}, Found{"d", kNone}));
}

TEST(AddedTokens, ThatMustBeSingleWordsAreNotTriedAgainShorter) {
  const std::vector<DeclaredToken> tokens{{{.content = "foobar", .single_word = true}}, {{.content = "foo"}}};
  EXPECT_THAT(split(tokens, "foobarx"), ElementsAre(Found{"foobarx", kNone}));
  EXPECT_THAT(split(tokens, "foobar-foox"),
              ElementsAre(Found{"foobar", 3}, Found{"-", kNone}, Found{"foo", 4}, Found{"x", kNone}));
}

TEST(AddedTokens, SwallowWhitespaceOfAnyKindButNotTwice) {
  EXPECT_THAT(split({{{.content = "<m>", .lstrip = true, .rstrip = true}}}, "x\u3000 <m> \n<m>y"),
              ElementsAre(Found{"x", kNone}, Found{"\u3000 <m> \n", 3}, Found{"<m>", 3}, Found{"y", kNone}));
}

TEST(AddedTokens, ThatASwallowingTokenTookAreLost) {
  // The reference's search goes on behind the token itself, so it finds one that begins in what was swallowed.
  EXPECT_THAT(split({{{.content = "<m>", .rstrip = true}}, {{.content = " n"}}}, "<m> n"),
              ElementsAre(Found{"<m> ", 3}, Found{" n", 4}));
}

TEST(AddedTokens, ThatAreSpecialCanBeLeftAsText) {
  const std::vector<DeclaredToken> tokens{{{.content = "[S]", .special = true}}, {{.content = "word"}}};
  EXPECT_THAT(split(tokens, "[S]word", false), ElementsAre(Found{"[S]", kNone}, Found{"word", 4}));
}

TEST(AddedTokens, TakeTheVocabularysIdOrCountOn) {
  AddedTokens added;
  const LogCapture log;
  added.add({{{.content = "b"}, 7}, {{.content = "new"}, 3}, {{.content = "newer"}, 9}}, vocabulary());
  EXPECT_EQ(added.id_of("b"), 2);
  EXPECT_EQ(added.id_of("new"), 3);
  EXPECT_EQ(added.id_of("newer"), 4);
  EXPECT_EQ(log.warnings().size(), 2U) << "b and newer are listed with other ids";
  added.add({{{.content = "newest"}}}, vocabulary());
  EXPECT_EQ(added.id_of("newest"), 5);
}

TEST(AddedTokens, ThatAreNormalizedMatchTheirNormalizedForm) {
  TokenizerFolder folder;
  folder.with_case_vocabulary().write("tokenizer_config.json", R"({"do_lower_case": true, "added_tokens_decoder": {
      "157": {"content": "CAFÉ Noir", "normalized": true}, "156": {"content": "CAFÉ", "normalized": false}}})");
  const Tokenizer tokenizer = folder.load();
  EXPECT_EQ(tokenizer.id_of("CAFÉ"), 156);
  EXPECT_EQ(ids_of(tokenizer, "café noir"), (Ids{2, 157, 3}));
  EXPECT_EQ(offsets_of(tokenizer, "xx Cafe\u0301 noir"), (Spans{{0, 1}, {1, 2}, {3, 13}}));
  EXPECT_EQ(ids_of(tokenizer, "CAFÉ cafe"), (Ids{2, 156, 128, 3}));
}

TEST(AddedTokens, OfWhichNothingIsLeftAreRefused) {
  AddedTokens added;
  added.add({{{.content = "\u200b", .normalized = true}}}, vocabulary());
  EXPECT_THROW(added.prepare(BertNormalizer{}), Error);
}

TEST(AddedTokens, OfUnlikelyLengthAreRefused) {
  AddedTokens added;
  EXPECT_THROW(added.add({{{.content = std::string(5000, 'x')}}}, vocabulary()), Error);
}

}  // namespace
}  // namespace berth::text::test
