// Names of labels by id, from the forms in which files give them.
#include "checkpoint/labels.h"

#include <gmock/gmock.h>

#include "base/log.h"
#include "checkpoint/support.h"

namespace berth::checkpoint {
namespace {

using test::expect_error;
using testing::ElementsAre;

std::vector<std::string> labels_of(const std::string& text) {
  const json::Value value = json::parse(text, "config.json");
  return read_labels(json::Object(value, "config.json"));
}

TEST(Labels, AreNumberedWhereTheFileNamesNone) {
  EXPECT_THAT(labels_of("{}"), ElementsAre("LABEL_0", "LABEL_1"));
  EXPECT_THAT(labels_of(R"({"id2label":null})"), ElementsAre("LABEL_0", "LABEL_1"));
  EXPECT_THAT(labels_of(R"({"num_labels":3})"), ElementsAre("LABEL_0", "LABEL_1", "LABEL_2"));
  EXPECT_THAT(labels_of(R"({"num_labels":1,"id2label":{}})"), ElementsAre("LABEL_0"));
}

TEST(Labels, StandInTheOrderOfTheirNumbers) {
  std::string text = R"({"id2label":{)";
  for (const char* key : {"10", "0", "1", "11", "2", "3", "4", "5", "6", "7", "8", "9"}) {
    text += (text.back() == '{' ? "\"" : ",\"") + std::string(key) + "\":\"l" + key + "\"";
  }
  EXPECT_THAT(labels_of(text + "}}"),
              ElementsAre("l0", "l1", "l2", "l3", "l4", "l5", "l6", "l7", "l8", "l9", "l10", "l11"));
}

TEST(Labels, MayBeNumbersThemselves) {
  EXPECT_THAT(labels_of(R"({"id2label":{"0":1,"1":-1}})"), ElementsAre("1", "-1"));
}

TEST(Labels, WithAGapNameTheMissingKey) {
  expect_error([] { labels_of(R"({"id2label":{"0":"a","2":"c"}})"); }, ErrorKind::invalid_input,
               {"config.json: id2label", "2 labels", "no key \"1\"", "\"0\" to \"1\""});
  expect_error([] { labels_of(R"({"id2label":{"1":"a"}})"); }, ErrorKind::invalid_input, {"no key \"0\""});
  expect_error([] { labels_of(R"({"id2label":{"0":"a","99999999999999999999":"c"}})"); }, ErrorKind::invalid_input,
               {"99999999999999999999"});
  expect_error([] { labels_of(R"({"id2label":{"0":"a","18446744073709551615":"c"}})"); }, ErrorKind::invalid_input,
               {"no key \"1\""});
}

TEST(Labels, NeedKeysThatAreIds) {
  for (const char* key : {"neg", "-1", "+0", "00", " 0", "0x0", "", "1.0"}) {
    expect_error([&] { labels_of(R"({"id2label":{")" + std::string(key) + R"(":"a"}})"); }, ErrorKind::invalid_input,
                 {"config.json: id2label", "has the key \"" + std::string(key) + "\"", "\"0\""});
  }
  expect_error([] { labels_of(R"({"id2label":{"neg":0,"pos":1}})"); }, ErrorKind::invalid_input, {"label2id"});
}

TEST(Labels, NeedTheRightTypes) {
  expect_error([] { labels_of(R"({"id2label":["a","b"]})"); }, ErrorKind::invalid_input,
               {"config.json: id2label", "an object"});
  expect_error([] { labels_of(R"({"id2label":{"0":["a"]}})"); }, ErrorKind::invalid_input,
               {"config.json: id2label: 0", "a string"});
  expect_error([] { labels_of(R"({"id2label":{"0":null}})"); }, ErrorKind::invalid_input, {"id2label: 0", "null"});
  expect_error([] { labels_of(R"({"num_labels":"2"})"); }, ErrorKind::invalid_input, {"num_labels"});
  for (const char* count : {"0", "-3", "65537", "9223372036854775807"}) {
    expect_error([&] { labels_of(R"({"num_labels":)" + std::string(count) + "}"); }, ErrorKind::invalid_input,
                 {"num_labels", count, "1 to 65536"});
  }
}

TEST(Labels, FromId2labelWinOverNumLabelsWithAWarning) {
  std::string warning;
  set_log_sink([&](Severity severity, std::string_view message) {
    EXPECT_EQ(severity, Severity::warning);
    warning += message;
  });
  EXPECT_THAT(labels_of(R"({"num_labels":2,"id2label":{"0":"a","1":"b"}})"), ElementsAre("a", "b"));
  EXPECT_EQ(warning, "");
  EXPECT_THAT(labels_of(R"({"num_labels":5,"id2label":{"0":"a","1":"b"}})"), ElementsAre("a", "b"));
  set_log_sink({});
  EXPECT_THAT(warning, testing::HasSubstr("num_labels is 5, but id2label names 2 labels"));
}

}  // namespace
}  // namespace berth::checkpoint
