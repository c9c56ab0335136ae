// Self-test rows: what is kept of an output, and the file they are kept in.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "base/file.h"
#include "berth/bundle.h"
#include "berth/error.h"

namespace berth::bundle {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string error_of_file(const std::string& content) {
  const TemporaryFolder folder;
  write_new_file(folder.path() / "selftest.jsonl", content);
  try {
    (void)read_selftest(folder.path() / "selftest.jsonl");
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Selftest, ReadsBackWhatWasWritten) {
  const std::vector<SelftestRow> rows{
      {"naïve\n\"text\"", {2, 7, 3}, {{0, 0}, {0, 5}, {0, 0}}, {{"logits", 2, 1, {0.1F, -3.25e-8F}}}, 1e-4},
      {"", {2, 3}, {}, {{"logits", 2, 1, {1.0F, 2.0F}}}, 1e-4}};
  const TemporaryFolder folder;
  write_new_file(folder.path() / "selftest.jsonl", to_jsonl(rows));
  const std::vector<SelftestRow> read = read_selftest(folder.path() / "selftest.jsonl");
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].text, rows[0].text);
  EXPECT_EQ(read[0].offsets, rows[0].offsets);
  EXPECT_THAT(read[0].outputs[0].values,
              ElementsAre(0.1F, -3.25e-8F));  // exactly: floats are written to the last digit
  EXPECT_TRUE(read[1].offsets.empty());
}

TEST(Selftest, KeepsAllOfASmallOutputAndASampleOfAWideOne) {
  engine::Output output{"last_hidden_state", true, 768, std::vector<float>(100 * 768)};
  std::iota(output.values.begin(), output.values.end(), 0.0F);
  const std::vector<std::int64_t> offsets{0, 1, 100};
  EXPECT_EQ(sample_output(output, 0, offsets).values.size(), 768U);
  const SelftestOutput wide = sample_output(output, 1, offsets);
  EXPECT_EQ(wide.count, 99 * 768);
  EXPECT_LE(wide.values.size(), 1024U);
  EXPECT_EQ(wide.values[1], static_cast<float>(768 + wide.stride));
}

TEST(Selftest, NamesTheLineThatIsBroken) {
  const std::string good = to_jsonl({{"a", {2, 3}, {}, {{"logits", 2, 1, {0.F, 1.F}}}, 1e-4}});
  EXPECT_THAT(error_of_file(good + "{"), HasSubstr("line 2"));
  EXPECT_THAT(error_of_file(""), HasSubstr("holds no rows"));
  EXPECT_THAT(error_of_file(R"({"text":"a","ids":[1],"tolerance":1,"starts":[0],"ends":[],"outputs":{}})"),
              HasSubstr("is not as long as"));
  EXPECT_THAT(error_of_file(R"({"text":"a","ids":[1],"tolerance":1,"starts":[],"ends":[],
                 "outputs":{"logits":{"count":9,"stride":1,"values":[1]}}})"),
              HasSubstr("line 1"));
}

}  // namespace
}  // namespace berth::bundle
