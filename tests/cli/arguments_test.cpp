// Words to values, and the sentences in which nonsense is refused.
#include "cli/arguments.h"

#include <array>
#include <gmock/gmock.h>

#include "base/file.h"
#include "berth/error.h"

namespace berth::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr std::array kWords{Argument{"MODEL", Arity::one, ValueKind::text, "a model"},
                            Argument{"TEXT", Arity::any, ValueKind::any_text, "texts"}};
constexpr std::array kOptions{
    Option{"--output", 'o', "DIR", ValueKind::output_path, "where to"},
    Option{"--top-k", kNoLetter, "N", ValueKind::count, "how many"},
    Option{"--tolerance", kNoLetter, "X", ValueKind::tolerance, "how far"},
    Option{"--load", kNoLetter, "copy|map", ValueKind::choice, "how"},
    Option{"--provider", kNoLetter, "cpu|cuda", ValueKind::choices, "where"},
    Option{"--labels", kNoLetter, "A,B", ValueKind::list, "names"},
    Option{"--setting", kNoLetter, "K=V", ValueKind::setting, "settings"},
    Option{"--shape", kNoLetter, "BxS", ValueKind::shape, "shape"},
    Option{"--spin", kNoLetter, "on|off", ValueKind::choice, "spin"},
    Option{"--texts", kNoLetter, "FILE", ValueKind::input_path, "texts"},
    Option{"--full", kNoLetter, "", ValueKind::none, "all"},
};
constexpr std::array kGroups{OptionGroup{"", kOptions}};
const Command kSample{.name = "sample",
                      .summary = "",
                      .details = "",
                      .arguments = kWords,
                      .groups = kGroups,
                      .examples = {},
                      .run = nullptr};

using Words = std::vector<std::string>;

Arguments parse(Words words) { return Arguments::parse(kSample, words); }

std::string refusal(const Words& words) {
  try {
    (void)parse(words);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return std::string(error.what()) + " | " + error.hint();
  }
  return "nothing was thrown";
}

TEST(Arguments, GivesValuesByKind) {
  const Arguments given = parse({"--top-k",
                                 "3",
                                 "m",
                                 "--tolerance=1e-4",
                                 "--load",
                                 "map",
                                 "--provider",
                                 "cuda,cpu",
                                 "--labels",
                                 "a,b",
                                 "--setting",
                                 "x=1",
                                 "--setting=y=2=3",
                                 "--shape",
                                 "8x128",
                                 "--spin",
                                 "off",
                                 "-o",
                                 "out",
                                 "--full",
                                 "--threads",
                                 "2"});
  EXPECT_EQ(given.argument("MODEL"), "m");
  EXPECT_EQ(given.count("--top-k"), 3U);
  EXPECT_EQ(given.tolerance("--tolerance"), 1e-4);
  EXPECT_EQ(given.text("--load"), "map");
  EXPECT_THAT(given.list("--provider"), ElementsAre("cuda", "cpu"));
  EXPECT_THAT(given.list("--labels"), ElementsAre("a", "b"));
  EXPECT_THAT(given.settings("--setting"), ElementsAre(Pair("x", "1"), Pair("y", "2=3")));
  EXPECT_EQ(given.shape("--shape"), (std::pair<std::int64_t, std::int64_t>{8, 128}));
  EXPECT_EQ(given.on_or_off("--spin"), false);
  EXPECT_EQ(given.text("--output"), "out");
  EXPECT_TRUE(given.has("--full"));
  EXPECT_EQ(given.count("--threads"), 2U);
}

TEST(Arguments, WhatIsNotGivenIsNotThere) {
  const Arguments given = parse({"m"});
  EXPECT_EQ(given.count("--top-k"), std::nullopt);
  EXPECT_EQ(given.text("--load"), std::nullopt);
  EXPECT_EQ(given.on_or_off("--spin"), std::nullopt);
  EXPECT_THAT(given.settings("--setting"), IsEmpty());
  EXPECT_THAT(given.list("--labels"), IsEmpty());
  EXPECT_FALSE(given.has("--full"));
  EXPECT_THAT(given.arguments("TEXT"), IsEmpty());
}

TEST(Arguments, TheLastOfTwoCounts) { EXPECT_EQ(parse({"m", "--top-k", "1", "--top-k", "2"}).count("--top-k"), 2U); }

TEST(Arguments, TextsComeAsTheyAre) {
  const Words texts{"[a, b]", "", "[MASK]", "-5 degrees", "{}", "a=b", "%%", "++", " x ", "né 中"};
  Words words{"m"};
  words.insert(words.end(), texts.begin(), texts.end());
  EXPECT_EQ(parse(words).arguments("TEXT"), texts);
}

TEST(Arguments, AfterTwoDashesAllAreTexts) {
  EXPECT_THAT(parse({"m", "--full", "--", "--full", "-x", "--", "a"}).arguments("TEXT"),
              ElementsAre("--full", "-x", "--", "a"));
}

TEST(Arguments, LettersTakeTheirValueEitherWay) {
  EXPECT_EQ(parse({"m", "-oout"}).text("--output"), "out");
  EXPECT_EQ(parse({"m", "--output=a b"}).text("--output"), "a b");
  EXPECT_TRUE(parse({"m", "-q"}).has("--quiet"));
}

TEST(Arguments, CountsAreWholeNumbersFromOne) {
  for (const char* const wrong :
       {"0", "-1", "abc", "1.5", "1e3", "+1", " 1", "1 ", "0x10", "99999999999999999999", "1000000001"}) {
    EXPECT_THAT(refusal({"m", "--threads", wrong}),
                HasSubstr(std::string("--threads: is \"") + wrong + "\", expected a whole number"));
  }
}

TEST(Arguments, TolerancesAreAboveZero) {
  for (const char* const wrong : {"0", "-1", "nan", "inf", "abc", "1e999", "1,5"}) {
    EXPECT_THAT(refusal({"m", "--tolerance", wrong}), HasSubstr("expected a number above 0")) << wrong;
  }
}

TEST(Arguments, RefusesOtherBadValuesInOneLine) {
  EXPECT_THAT(refusal({"m", "--load", "mpa"}), HasSubstr("--load: is \"mpa\", expected copy, map | did you mean map?"));
  EXPECT_THAT(refusal({"m", "--provider", "cuda,"}), HasSubstr("--provider: is \"\", expected cpu, cuda"));
  EXPECT_THAT(refusal({"m", "--setting", "x"}), HasSubstr("expected KEY=VALUE"));
  EXPECT_THAT(refusal({"m", "--labels", "a,,b"}), HasSubstr("expected names with commas"));
  for (const char* const shape : {"8", "8x", "x8", "0x8", "8x8x8", "-1x8"}) {
    EXPECT_THAT(refusal({"m", "--shape", shape}), HasSubstr("expected BATCHxSEQUENCE")) << shape;
  }
  const std::string long_value = refusal({"m", "--load", std::string(100'000, 'x') + "\n\x1b[31m"});
  EXPECT_LT(long_value.size(), 300U);
  EXPECT_THAT(refusal({"m", "--load", "a\nb\x1b"}), HasSubstr("\"a\\x0ab\\x1b\""));
}

TEST(Arguments, RefusesMissingValues) {
  EXPECT_THAT(refusal({"m", "--output"}), HasSubstr("--output needs a value"));
  EXPECT_THAT(refusal({"m", "--output="}), HasSubstr("--output= needs a value"));
  EXPECT_THAT(refusal({"m", "--output", ""}), HasSubstr("--output: is \"\""));
  EXPECT_THAT(refusal({"m", "--output", "--full"}), HasSubstr("--output needs a value DIR, not the option --full"));
  EXPECT_THAT(refusal({"m", "--full=yes"}), HasSubstr("takes no value"));
}

TEST(Arguments, RefusesUnknownOptionsWithTheNearest) {
  EXPECT_THAT(refusal({"m", "--topk", "3"}), HasSubstr("sample has no option --topk | did you mean --top-k?"));
  EXPECT_THAT(refusal({"m", "--tresholds=3"}), HasSubstr("sample has no option --tresholds=3 | put -- before a TEXT"));
  EXPECT_THAT(refusal({"m", "-x"}), HasSubstr("sample has no option -x"));
}

TEST(Arguments, RefusesMissingArguments) {
  EXPECT_THAT(refusal({}), HasSubstr("sample needs MODEL"));
  EXPECT_THAT(refusal({"m", "-q", "-v"}), HasSubstr("exclude each other"));
}

TEST(Arguments, RefusesPathsThatAreNotThere) {
  const TemporaryFolder folder;
  write_new_file(folder.path() / "näme of a file.txt", "");
  const std::string right = (folder.path() / "näme of a file.txt").string();
  EXPECT_EQ(parse({"m", "--texts", right}).text("--texts"), right);
  const std::string wrong = (folder.path() / "näme of file.txt").string();
  EXPECT_EQ(refusal({"m", "--texts", wrong}),
            "--texts " + wrong + ": there is no such file or folder | did you mean " + right + "?");
}

TEST(Arguments, AskingForAnOptionThatIsInNoTableIsADefect) {
  try {
    (void)parse({"m"}).text("--nonsense");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::internal);
  }
}

}  // namespace
}  // namespace berth::cli
