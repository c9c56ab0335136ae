// JSON documents of other programs: what is read, and the words in which it is refused.
#include "base/json.h"

#include <cmath>
#include <gmock/gmock.h>

#include "base/file.h"
#include "berth/error.h"

namespace berth::json {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return std::string(name_of(error.kind())) + ": " + error.what();
  }
  return "nothing was thrown";
}

std::string parse_refusal(std::string_view text) {
  return refusal([&] { (void)parse(text, "config.json"); });
}

TEST(JsonParse, KeepsValuesAndTheOrderOfMembers) {
  const std::string text = R"({"b":[1,-2,0.5,true,null,"é\n"],"a":{"c":{}},"d":[]})";
  EXPECT_EQ(parse(text, "x").dump(), text);
  EXPECT_EQ(parse(" 5 ", "x"), 5);
}

TEST(JsonParse, AMemberThatComesTwiceCountsTheLastTime) {
  const Value value = parse(R"({"a": {"x": 1}, "b": 2, "a": [3]})", "x");
  EXPECT_EQ(value.dump(), R"({"a":[3],"b":2})");
}

TEST(JsonParse, SkipsAByteOrderMark) { EXPECT_EQ(parse("\xEF\xBB\xBF{\"a\": 1}", "x")["a"], 1); }

TEST(JsonParse, ReadsTheNumbersThatOnlyPythonWrites) {
  const Value value = parse(R"({"a": NaN, "b": [Infinity, -Infinity], "c": "NaN \" Infinity"})", "x");
  EXPECT_TRUE(value["a"].is_null());
  EXPECT_TRUE(value["b"][0].is_null() && value["b"][1].is_null());
  EXPECT_EQ(value["c"], "NaN \" Infinity");
}

TEST(JsonParse, SaysWhereItWentWrong) {
  EXPECT_EQ(parse_refusal("{\n  \"a\": 1,\n  oops\n}"),
            "invalid_input: config.json: is not valid JSON: unexpected content at line 3, column 3");
  EXPECT_THAT(parse_refusal("{\"a\": 1"), HasSubstr("line 1, column 8"));
  for (const std::string_view text : {"", "{", "[1,]", "{} {}", "nul", "{\"a\" 1}", "'a'", "01", "\"\\ud800\"",
                                      "\"\x80\"", "\"a\nb\"", "NaNNaN", "<html>"}) {
    EXPECT_THAT(parse_refusal(text), HasSubstr("is not valid JSON")) << text;
  }
}

TEST(JsonParse, RefusesNumbersThatNoDoubleHolds) {
  EXPECT_THAT(parse_refusal("[1e999]"), HasSubstr("a number too large"));
}

TEST(JsonParse, RefusesDepthWithoutFallingIntoIt) {
  EXPECT_THAT(parse_refusal(std::string(10'000'000, '[')), HasSubstr("limit: config.json: is nested deeper than 200"));
  std::string objects;
  for (int i = 0; i < 201; ++i) objects += "{\"a\":";
  EXPECT_THAT(parse_refusal(objects), HasSubstr("nested deeper"));
  EXPECT_NO_THROW((void)parse(std::string(200, '[') + std::string(200, ']'), "x"));
}

TEST(JsonParse, TakesLinearTimeForManyMembers) {  // nlohmann's ordered objects alone would need minutes here
  constexpr int kMembers = 300'000;
  std::string text = "{";
  for (int i = 0; i < kMembers; ++i) text += "\"key" + std::to_string(i) + "\":" + std::to_string(i) + ",";
  text.back() = '}';
  EXPECT_EQ(parse(text, "x").size(), static_cast<std::size_t>(kMembers));
}

TEST(JsonDocument, ReadsAFileAndNamesIt) {
  const TemporaryFolder folder;
  write_new_file(folder.path() / "a.json", "{\"a\": 1}");
  EXPECT_EQ(read_document(folder.path() / "a.json")["a"], 1);
  EXPECT_THAT(refusal([&] { (void)read_document(folder.path() / "a.json", 3); }),
              HasSubstr("a.json: has 8 bytes, expected at most 3"));
  EXPECT_THAT(refusal([&] { (void)read_document(folder.path() / "b.json"); }), HasSubstr("not_found"));
}

class JsonObject : public ::testing::Test {
 protected:
  Value value_ =
      parse(R"({"flag": true, "count": 3, "ratio": 0.5, "name": "bert", "labels": ["a", "b"], "nothing": null,
                           "big": 9223372036854775808, "huge": 123456789012345678901234567890, "mixed": ["a", 1]})",
            "config.json");
  Object object_{value_, "config.json"};
};

TEST_F(JsonObject, GivesFieldsByType) {
  EXPECT_EQ(object_.get<bool>("flag"), true);
  EXPECT_EQ(object_.require<std::int64_t>("count"), 3);
  EXPECT_EQ(object_.get<double>("ratio"), 0.5);
  EXPECT_EQ(object_.get<double>("count"), 3.0);
  EXPECT_EQ(object_.get<std::string>("name"), "bert");
  EXPECT_THAT(*object_.get<std::vector<std::string>>("labels"), ElementsAre("a", "b"));
}

TEST_F(JsonObject, AbsentAndNullAreNotThere) {
  EXPECT_FALSE(object_.has("nothing"));
  EXPECT_FALSE(object_.has("absent"));
  EXPECT_EQ(object_.get<std::int64_t>("nothing", 7), 7);
  EXPECT_EQ(refusal([&] { (void)object_.require<std::string>("absent"); }),
            "invalid_input: config.json: has no field \"absent\"");
}

TEST_F(JsonObject, RefusesTheWrongTypeByName) {
  EXPECT_EQ(refusal([&] { (void)object_.get<std::int64_t>("name"); }),
            "invalid_input: config.json: name: is \"bert\", expected a whole number below 2^63");
  EXPECT_EQ(refusal([&] { (void)object_.get<std::int64_t>("ratio"); }),
            "invalid_input: config.json: ratio: is 0.5, expected a whole number below 2^63");
  EXPECT_EQ(refusal([&] { (void)object_.get<bool>("count"); }),
            "invalid_input: config.json: count: is 3, expected true or false");
  EXPECT_EQ(refusal([&] { (void)object_.get<std::vector<std::string>>("mixed"); }),
            "invalid_input: config.json: mixed: is [\"a\",1], expected a list of strings");
}

TEST_F(JsonObject, RefusesNumbersThatDoNotFit) {
  EXPECT_THAT(refusal([&] { (void)object_.get<std::int64_t>("big"); }), HasSubstr("9223372036854775808, expected"));
  EXPECT_THAT(refusal([&] { (void)object_.get<std::int64_t>("huge"); }), HasSubstr("expected a whole number"));
}

TEST(JsonDescribe, IsShortAndNeverCutsACharacter) {
  EXPECT_EQ(describe(parse("{}", "x")), "an object");
  EXPECT_EQ(describe(parse("null", "x")), "null");
  std::string many;
  for (int i = 0; i < 100; ++i) many += "é";
  EXPECT_EQ(describe(many), "\"" + many.substr(0, 58) + "…");  // 29 characters of two bytes
  EXPECT_EQ(refusal([] {
              Object(Value::array({1, 2}), "x.json: a");
            }),
            "invalid_input: x.json: a: is [1,2], expected an object");
}

}  // namespace
}  // namespace berth::json
