// tokenizer.json as strangers write it: odd but right, wrong in one place, or garbage.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/json.h"
#include "berth/error.h"
#include "fixtures.h"

namespace berth::text::test {
namespace {

using json::Value;
using testing::AllOf;
using testing::HasSubstr;

Value small_tokenizer() {
  return Value::parse(R"({
    "version": "1.0", "truncation": null, "padding": null,
    "added_tokens": [{"id": 1, "content": "[CLS]", "single_word": false, "lstrip": false, "rstrip": false,
                      "normalized": false, "special": true}],
    "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null,
                   "lowercase": true},
    "pre_tokenizer": {"type": "BertPreTokenizer"},
    "post_processor": {"type": "TemplateProcessing",
      "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
      "pair": [{"Sequence": {"id": "B", "type_id": 3}}, {"Sequence": {"id": "A", "type_id": 2}}],
      "special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [1], "tokens": ["[CLS]"]}}},
    "decoder": {"type": "WhoKnows"},
    "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
              "max_input_chars_per_word": 100, "vocab": {"[UNK]": 0, "[CLS]": 1, "a": 2, "##b": 3, "ab": 9}}})");
}

Tokenizer load(const std::string& text) {
  TokenizerFolder folder;
  folder.write("tokenizer.json", text);
  return folder.load();
}

Tokenizer load(const std::function<void(Value&)>& change) {
  Value document = small_tokenizer();
  change(document);
  return load(document.dump());
}

std::string error_after(const std::function<void(Value&)>& change) {
  try {
    (void)load(change);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(TokenizerJson, ReadsATemplateInAnyOrderAndIdsWithGaps) {
  const Tokenizer tokenizer = load(small_tokenizer().dump());
  EXPECT_EQ(ids_of(tokenizer, "ab abb"), (Ids{1, 9, 9, 3}));
  EXPECT_EQ(tokenizer.vocabulary_size(), 10U);
  const Encoding pair = tokenizer.encode_pair("a", "ab", {});
  EXPECT_EQ(pair.ids, (Ids{9, 2}));
  EXPECT_EQ(pair.type_ids, (Ids{3, 2}));
  EXPECT_EQ(pair.sequence_ids, (Ids{1, 0}));
}

TEST(TokenizerJson, ReadsBertProcessing) {
  const Tokenizer tokenizer = load([](Value& document) {
    document["post_processor"] = {{"type", "BertProcessing"}, {"sep", {"[UNK]", 0}}, {"cls", {"[CLS]", 1}}};
  });
  EXPECT_EQ(tokenizer.encode_pair("a", "ab", {}).ids, (Ids{1, 2, 0, 9, 0}));
  EXPECT_EQ(tokenizer.encode_pair("a", "ab", {}).type_ids, (Ids{0, 0, 0, 1, 1}));
}

TEST(TokenizerJson, StagesMayBeNull) {
  const Tokenizer tokenizer = load([](Value& document) {
    for (const char* stage : {"normalizer", "pre_tokenizer", "post_processor"}) document[stage] = nullptr;
  });
  EXPECT_EQ(ids_of(tokenizer, "a"), (Ids{2}));
  EXPECT_EQ(ids_of(tokenizer, "a a"), (Ids{0})) << "nothing splits, so it is one word";
  EXPECT_EQ(tokenizer.encode_pair("a", "ab", {}).type_ids, (Ids{0, 1}));
}

TEST(TokenizerJson, OldFilesDoNotNameTheModel) {
  EXPECT_EQ(ids_of(load([](Value& document) { document["model"].erase("type"); }), "ab"), (Ids{1, 9}));
}

TEST(TokenizerJson, OfEqualTokensTheLastCounts) {
  std::string text = small_tokenizer().dump();
  text.replace(text.find("\"a\":2"), 5, "\"a\":5,\"a\":2");
  EXPECT_EQ(load(text).id_of("a"), 2);
}

TEST(TokenizerJson, AnUnknownPrefixLeavesWordsWithoutContinuation) {
  const Tokenizer tokenizer = load([](Value& document) { document["model"]["continuing_subword_prefix"] = "@@"; });
  EXPECT_EQ(ids_of(tokenizer, "ab abb"), (Ids{1, 9, 0}));
}

TEST(TokenizerJson, ANewKindOfStageIsRefusedWithItsPathAndThoseThatAreKnown) {
  const auto with_type = [](const char* stage) {
    return error_after([stage](Value& document) { document[stage]["type"] = "Precompiled"; });
  };
  EXPECT_THAT(with_type("normalizer"),
              HasSubstr("tokenizer.json: normalizer.type: is \"Precompiled\", supported: BertNormalizer"));
  EXPECT_THAT(with_type("pre_tokenizer"), AllOf(HasSubstr("pre_tokenizer.type"), HasSubstr("BertPreTokenizer")));
  EXPECT_THAT(with_type("post_processor"), AllOf(HasSubstr("post_processor.type"), HasSubstr("TemplateProcessing")));
  EXPECT_THAT(with_type("model"), AllOf(HasSubstr("model.type"), HasSubstr("WordPiece")));
  EXPECT_THAT(error_after([](Value& document) { document["version"] = "2.0"; }), HasSubstr("version: is \"2.0\""));
}

TEST(TokenizerJson, EveryWrongFieldIsNamed) {
  const std::pair<const char*, const char*> cases[] = {
      // JSON pointer and value, what the error says
      {R"(/model/vocab/a -1)", "token \"a\" has id -1"},
      {R"(/model/vocab/a 4194304)", "token \"a\" has id 4194304"},
      {R"(/model/vocab/a 3)", "id 3 belongs to"},
      {R"(/model/vocab/a 1.5)", "the id of \"a\""},
      {R"(/model/vocab [])", "model.vocab: is an array, expected an object"},
      {R"(/model/unk_token "<unk>")", "no unknown token \"<unk>\""},
      {R"(/model/unk_token null)", "has no field \"unk_token\""},
      {R"(/model/max_input_chars_per_word 1000000000)", "max_input_chars_per_word"},
      {R"(/model/max_input_chars_per_word "100")", "max_input_chars_per_word: is \"100\""},
      {R"(/model null)", "has no field \"model\""},
      {R"(/normalizer/lowercase "yes")", "normalizer.lowercase: is \"yes\", expected true or false"},
      {R"(/normalizer [])", "normalizer: is an array"},
      {R"(/added_tokens/0/content 5)", "added_tokens[0].content: is 5, expected a string"},
      {R"(/added_tokens/0/id -1)", "added_tokens[0].id: is -1"},
      {R"(/added_tokens {})", "added_tokens: is an object"},
      {R"(/post_processor/special_tokens {})", "has no field \"[CLS]\""},
      {R"(/post_processor/single/1/Sequence/id "B")", "single[1]"},
      {R"(/post_processor/pair/1/Sequence/id "B")", "repeats a text"},
      {R"(/post_processor/pair/1/Sequence/id "C")", "expected \"A\" or \"B\""},
      {R"(/post_processor/special_tokens/[CLS]/ids [4294967296])", "ids[0]"},
      {R"(/post_processor/special_tokens/[CLS]/ids [10])", "post_processor: adds id 10"},
  };
  for (const auto& [change, expected] : cases) {
    const std::string text = change;
    const std::size_t space = text.find(' ');
    EXPECT_THAT(error_after([&](Value& document) {
                  document[Value::json_pointer(text.substr(0, space))] = Value::parse(text.substr(space));
                }),
                AllOf(HasSubstr("tokenizer.json"), HasSubstr(expected)))
        << change;
  }
}

TEST(TokenizerJson, WhatIsNotJsonIsRefused) {
  for (const char* text : {"", "{", "[]", "null", "{\"model\": \"\\ud800\"}", "<html>", "\xFF"}) {
    EXPECT_THROW((void)load(std::string(text)), Error) << text;
  }
  EXPECT_THROW((void)load(std::string(100'000, '[')), Error);
}

// Whatever a file says, it is refused with an Error, or it works.
void load_and_use(const std::string& text) {
  try {
    const Tokenizer tokenizer = load(text);
    const Encoding encoding = tokenizer.encode("Covid [MASK] unaffable  naïve 東京 💩", {.max_length = 12});
    EXPECT_EQ(encoding.ids.size(), encoding.offsets.size());
  } catch (const Error&) {
  }
}

std::string hostile_seed() { return read_file(berth::test::data("cases/tok-added/tokenizer.json"), 1U << 20); }

TEST(TokenizerJson, SurvivesBeingCutAnywhere) {
  const std::string whole = hostile_seed();
  for (std::size_t size = 0; size < whole.size(); size += 41) load_and_use(whole.substr(0, size));
}

TEST(TokenizerJson, SurvivesRandomChanges) {
  const std::string whole = Value::parse(hostile_seed()).dump();
  const std::string_view alphabet = "{}[]\",:0123456789-.eE\\nulltruefalse\xC3\xA9\xFF ";
  std::mt19937 random(20220215);
  for (int round = 0; round < 1500; ++round) {
    std::string text = whole;
    for (auto changes = 1 + random() % 3; changes > 0; --changes) {
      const std::size_t place = random() % text.size();
      const char byte = alphabet[random() % alphabet.size()];
      switch (random() % 3) {
        case 0: text[place] = byte; break;
        case 1: text.insert(place, 1, byte); break;
        default: text.erase(place, 1 + random() % 8); break;
      }
    }
    load_and_use(text);
  }
}

}  // namespace
}  // namespace berth::text::test
