// Against what `tokenizers` 0.22.2 makes of many texts: committed files of the example models (written by
// tools/make_tokenizer_goldens.py), and those of the shared material where it is at hand.
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "base/json.h"
#include "berth/error.h"
#include "fixtures.h"

namespace berth::text::test {
namespace {

using json::Value;

std::vector<Value> rows_of(const fs::path& file) {
  std::ifstream stream(file);
  std::vector<Value> rows;
  for (std::string line; std::getline(stream, line);) rows.push_back(Value::parse(line));
  return rows;
}

// Rows about what the library does not offer or leaves to others; the reason, or nothing.
const char* reason_to_skip(const Value& row) {
  if (row["op"] != "encode") return "not encoding";
  if (row.contains("baked")) return "truncation of the file";
  if (row.contains("padding")) return "padding";
  if (row.contains("pair_words")) return "pair of words";
  if (row.contains("truncation") && row["truncation"].value("direction", "right") == "left")
    return "truncation on the left";
  return nullptr;
}

EncodeOptions options_of(const Value& row) {
  EncodeOptions options;
  options.special_tokens = row.value("add_special_tokens", true);
  if (!row.contains("truncation")) return options;
  const Value& truncation = row["truncation"];
  options.max_length = truncation["max_length"].get<std::size_t>();
  options.stride = truncation["stride"].get<std::size_t>();
  const auto strategy = truncation["strategy"].get<std::string>();
  options.truncation = strategy == "only_first"    ? Truncation::only_first
                       : strategy == "only_second" ? Truncation::only_second
                                                   : Truncation::longest_first;
  options.windows = true;
  return options;
}

Encoding encode(const Tokenizer& tokenizer, const Value& row, const EncodeOptions& options) {
  if (row.contains("words")) return tokenizer.encode_words(row["words"].get<std::vector<std::string>>(), options);
  const auto text = row["text"].get<std::string>();
  if (row.contains("pair")) return tokenizer.encode_pair(text, row["pair"].get<std::string>(), options);
  return tokenizer.encode(text, options);
}

Ids digits(const std::string& text) {
  Ids values;
  for (const char digit : text) values.push_back(digit - '0');
  return values;
}

Ids numbers_or_none(const Value& list) {
  Ids values;
  for (const Value& value : list) values.push_back(value.is_null() ? kNone : value.get<std::int32_t>());
  return values;
}

void expect_equal(const Encoding& encoding, const Value& expected) {
  EXPECT_EQ(encoding.ids, expected["ids"].get<Ids>());
  Spans offsets;
  for (const Value& span : expected["offsets"])
    offsets.push_back({span[0].get<std::uint32_t>(), span[1].get<std::uint32_t>()});
  EXPECT_EQ(encoding.offsets, offsets);
  EXPECT_EQ(encoding.type_ids, digits(expected["type_ids"]));
  EXPECT_EQ(Ids(encoding.special_tokens_mask.begin(), encoding.special_tokens_mask.end()),
            digits(expected["special_tokens_mask"]));
  if (expected.contains("word_ids")) {
    EXPECT_EQ(encoding.word_ids, numbers_or_none(expected["word_ids"]));
  }
  if (expected.contains("sequence_ids")) {
    EXPECT_EQ(encoding.sequence_ids, numbers_or_none(expected["sequence_ids"]));
  }
}

void expect_row(const Tokenizer& tokenizer, const Value& row) {
  SCOPED_TRACE(row.dump().substr(0, 300));
  EncodeOptions options = options_of(row);
  const std::size_t special = row.contains("pair") ? 3 : 2;
  if (row.contains("error") || options.max_length.value_or(special) < special) {
    // Where the reference wraps round and truncates nothing, an error.
    EXPECT_THROW((void)encode(tokenizer, row, options), Error);
    return;
  }
  const bool holds_no_text = options.max_length == special;
  if (holds_no_text) options.windows = false;  // which the reference fills with the whole text
  const Encoding encoding = encode(tokenizer, row, options);
  expect_equal(encoding, row);
  EXPECT_EQ(encoding.truncated, row.contains("overflow_count"));
  if (!row.contains("overflow_count") || holds_no_text) return;
  ASSERT_EQ(encoding.overflow.size(), row["overflow_count"].get<std::size_t>());
  for (std::size_t i = 0; i < row["overflowing"].size(); ++i) expect_equal(encoding.overflow[i], row["overflowing"][i]);
}

struct Tally {
  std::size_t compared = 0;
  std::map<std::string, std::size_t> skipped;
};

Tally expect_goldens(const Tokenizer& tokenizer, const fs::path& file) {
  Tally tally;
  for (const Value& row : rows_of(file)) {
    if (const char* const reason = reason_to_skip(row)) {
      ++tally.skipped[reason];
    } else {
      expect_row(tokenizer, row);
      ++tally.compared;
    }
  }
  return tally;
}

class GoldenExamples : public testing::TestWithParam<const char*> {};

TEST_P(GoldenExamples, AreAsInTheReference) {
  const Tokenizer tokenizer = Tokenizer::from_folder(berth::test::example_model(GetParam()), {});
  const Tally tally = expect_goldens(tokenizer, berth::test::data(std::string("text/") + GetParam() + ".golden.jsonl"));
  EXPECT_GT(tally.compared, 600U);
}

INSTANTIATE_TEST_SUITE_P(Models, GoldenExamples, testing::Values("sentiment-small-en", "sentiment-small-zh"));

// Every tokenizer of the shared material: those whose stages are known agree, the others are refused as unsupported.
TEST(GoldenSharedTokenizers, AgreeOrAreRefusedByName) {
  const auto folder = berth::test::shared("tokenizers");
  if (!folder) GTEST_SKIP() << "the shared tokenizers are not beside this checkout (nor below $BERTH_SHARED)";
  Tally total;
  std::size_t tokenizers = 0;
  std::size_t refused = 0;
  for (const auto& entry : fs::directory_iterator(*folder)) {
    // The goldens are those of tokenizer.json alone, so the files beside it are left behind.
    if (!fs::exists(entry.path() / "tokenizer.json")) continue;
    TokenizerFolder alone;
    alone.copy(entry.path() / "tokenizer.json");
    SCOPED_TRACE(entry.path().filename().string());
    try {
      const Tokenizer tokenizer = alone.load();
      const Tally tally = expect_goldens(tokenizer, entry.path() / "golden.jsonl");
      ++tokenizers;
      total.compared += tally.compared;
      for (const auto& [reason, count] : tally.skipped) total.skipped[reason] += count;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::unsupported) << error.what();
      ++refused;
    }
  }
  EXPECT_GE(tokenizers, 5U);
  std::cout << total.compared << " rows of " << tokenizers << " tokenizers agree, " << refused << " are of other kinds";
  for (const auto& [reason, count] : total.skipped) std::cout << "; skipped " << count << ": " << reason;
  std::cout << "\n";
}

}  // namespace
}  // namespace berth::text::test
