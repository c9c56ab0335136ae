// Texts for people: widths, bars, durations, answers.
#include <gmock/gmock.h>

#include "cli/answer_view.h"
#include "cli/progress_text.h"
#include "cli/text_width.h"

namespace berth::cli {
namespace {

TEST(TextWidth, CountsColumns) {
  EXPECT_EQ(text_width("plain"), 5U);
  EXPECT_EQ(text_width("é"), 1U);
  EXPECT_EQ(text_width("e\u0301"), 1U);  // a combining accent
  EXPECT_EQ(text_width("中文"), 4U);
  EXPECT_EQ(text_width("一龥"), 4U);  // the ends of the first ideographs
  EXPECT_EQ(text_width("한글カナ"), 8U);
  EXPECT_EQ(text_width("😀"), 2U);
  EXPECT_EQ(text_width(""), 0U);
}

TEST(TextWidth, FitsTextsIntoColumns) {
  EXPECT_EQ(fit("ab", 4), "ab  ");
  EXPECT_EQ(fit("abcdef", 4), "abc…");
  EXPECT_EQ(fit("中文字", 4), "中… ");
  EXPECT_EQ(fit("中文", 4), "中文");
  EXPECT_EQ(fit("abc", 0), "");
  EXPECT_EQ(fit("abc", 1), "…");
}

TEST(TextWidth, ShowsWhatCannotBePrinted) {
  EXPECT_EQ(printable("a\tb\x1b[0m", false), "a\\x09b\\x1b[0m");
  EXPECT_EQ(printable("a\nb", true), "a\nb");
  EXPECT_EQ(printable("a\nb", false), "a\\x0ab");
  EXPECT_EQ(printable("caf\xE9", false), "caf\uFFFD");
  EXPECT_EQ(printable("abc\u202Edcba", false), "abc\\u202edcba");
}

TEST(TextWidth, WrapsAtSpaces) {
  EXPECT_EQ(wrap("one two three", 7, "  "), "one two\n  three");
  EXPECT_EQ(wrap("unbreakable x", 4, ""), "unbreakable\nx");
  EXPECT_EQ(wrap("", 4, ""), "");
}

TEST(ProgressText, TellsDurations) {
  EXPECT_EQ(duration_text(0.04), "0.0 s");
  EXPECT_EQ(duration_text(9.94), "9.9 s");
  EXPECT_EQ(duration_text(9.96), "10 s");
  EXPECT_EQ(duration_text(59.6), "1 min 0 s");
  EXPECT_EQ(duration_text(200), "3 min 20 s");
  EXPECT_EQ(duration_text(7500), "2 h 5 min");
}

TEST(ProgressText, DrawsBarsOfOneWidth) {
  EXPECT_EQ(bar_text(0, 4), "░░░░");
  EXPECT_EQ(bar_text(0.5, 4), "██░░");
  EXPECT_EQ(bar_text(1, 4), "████");
  for (int i = -10; i <= 110; ++i) EXPECT_EQ(text_width(bar_text(i / 100.0, 20)), 20U) << i;
  EXPECT_EQ(bar_text(std::numeric_limits<double>::quiet_NaN(), 2), "░░");
}

TEST(ProgressText, SaysBytesInMegabytes) {
  const Stage stage{.name = "write", .unit = "bytes", .total = 435'000'000, .done = 217'500'000, .seconds = 1.5};
  EXPECT_EQ(progress_line(stage, 80, false), "write: 217.5/435.0 MB  145 MB/s  1.5 s left");
}

TEST(ProgressText, KnowsNoTimeLeftWithoutATotal) {
  EXPECT_EQ(progress_line({.name = "run", .unit = "rows", .total = 0, .done = 30, .seconds = 2}, 80, true),
            "run  30 rows  15 rows/s");
}

TEST(ProgressText, NeverWraps) {
  const Stage stage{.name = "a very long name of a stage", .unit = "texts", .total = 10, .done = 5, .seconds = 5};
  for (std::size_t width = 1; width < 100; ++width) EXPECT_LE(text_width(progress_line(stage, width, true)), width);
}

TEST(AnswerView, AlignsLabels) {
  const LabelRow rows[] = {{"positive", 0.998}, {"中性", 0.002}};
  EXPECT_EQ(view_of(rows, Scale::probability, {}),
            "  positive  ████████████████████   99.8 %\n"
            "  中性      ░░░░░░░░░░░░░░░░░░░░    0.2 %\n");
}

TEST(AnswerView, ShowsOtherScoresAsNumbers) {
  const LabelRow rows[] = {{"LABEL_0", -3.25}};
  EXPECT_EQ(view_of(rows, Scale::number, {}), "  LABEL_0  -3.2500\n");
}

TEST(AnswerView, MarksTheBestLabelWhereThereAreColours) {
  const LabelRow rows[] = {{"a", 1}, {"b", 0}};
  const std::string view = view_of(rows, Scale::number, {.interactive = true, .colour = true, .width = 80});
  EXPECT_EQ(view, "  \x1b[1ma\x1b[0m  1.0000\n  b  0.0000\n");
}

TEST(AnswerView, ListsTokens) {
  const TokenRow rows[] = {{"Hugging", "B-ORG", 0.5}, {"Face", "I-ORG", 1}};
  EXPECT_EQ(view_of(rows),
            "  Hugging  B-ORG  ██████████░░░░░░░░░░   50.0 %\n"
            "  Face     I-ORG  ████████████████████  100.0 %\n");
  EXPECT_EQ(view_of(std::span<const TokenRow>()), "  (nothing found)\n");
}

TEST(AnswerView, HeadsAnswersWithOneLine) {
  EXPECT_EQ(heading_of("What a\nfilm.", false, {}), "What a\\x0afilm.\n");
  const std::string heading = heading_of(std::string(500, 'x'), true, {});
  EXPECT_EQ(text_width(heading), 80U);
  EXPECT_THAT(heading, ::testing::HasSubstr("…  (cut: longer than the model reads)\n"));
}

}  // namespace
}  // namespace berth::cli
