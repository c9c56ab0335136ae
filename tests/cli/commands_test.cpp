// The tables of all commands: complete, readable, and equal to what the commands ask for.
#include "cli/commands.h"

#include <gmock/gmock.h>
#include <set>

#include "base/file.h"
#include "berth/error.h"
#include "cli/arguments.h"
#include "cli/console.h"
#include "cli/engine_options.h"
#include "cli/help.h"
#include "cli/text_width.h"

namespace berth::cli {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Le;

// The words of an example as a shell splits it, up to a redirection.
std::vector<std::string> shell_words(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false;
  for (const char c : std::string(line) + " ") {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ' ' && !quoted) {
      if (word == "<" || word == ">") return words;
      if (!word.empty()) words.push_back(std::exchange(word, ""));
    } else {
      word += c;
    }
  }
  return words;
}

class InTemporaryFolder : public ::testing::Test {
 protected:
  InTemporaryFolder() { fs::current_path(folder_.path()); }
  ~InTemporaryFolder() override { fs::current_path(before_); }
  fs::path before_ = fs::current_path();
  TemporaryFolder folder_;
};

class Commands : public InTemporaryFolder {};

TEST_F(Commands, HaveNamesOfTheirOwnAndOptionsOfTheirOwn) {
  std::set<std::string_view> names;
  for (const Command* const command : commands()) {
    EXPECT_TRUE(names.insert(command->name).second) << command->name;
    std::set<std::string_view> options;
    std::set<char> letters;
    for (const Option& option : all_options(*command)) {
      EXPECT_TRUE(option.name.starts_with("--")) << option.name;
      EXPECT_TRUE(options.insert(option.name).second) << command->name << " has " << option.name << " twice";
      EXPECT_TRUE(option.letter == kNoLetter || letters.insert(option.letter).second) << option.name;
      EXPECT_EQ(option.value.empty(), option.kind == ValueKind::none) << option.name;
      EXPECT_FALSE(option.help.empty() || option.help.ends_with('.')) << option.name;
    }
  }
}

TEST_F(Commands, AreFoundByNameOrSuggested) {
  EXPECT_EQ(find_command("export").name, "export");
  try {
    (void)find_command("exprot");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_EQ(error.hint(), "did you mean export?");
  }
}

TEST_F(Commands, ExamplesAreRightCommandLines) {
  for (const Command* const command : commands()) {
    EXPECT_FALSE(command->examples.empty()) << command->name;
    for (const std::string_view example : command->examples) {
      const std::vector<std::string> words = shell_words(example);
      ASSERT_GE(words.size(), 2U) << example;
      EXPECT_EQ(words[0], "berth");
      EXPECT_EQ(words[1], command->name);
      for (const std::string& word : words) {
        if (!word.starts_with('-')) fs::create_directories(folder_.path() / word);
      }
      EXPECT_NO_THROW((void)Arguments::parse(*command, std::span(words).subspan(2))) << example;
    }
  }
}

std::string sample_value(const Option& option) {
  switch (option.kind) {
    case ValueKind::none: return "";
    case ValueKind::count: return "3";
    case ValueKind::tolerance: return "0.5";
    case ValueKind::choice:
    case ValueKind::choices: return std::string(split(option.value, '|').back());
    case ValueKind::setting: return "key=value";
    case ValueKind::shape: return "2x8";
    case ValueKind::input:
    case ValueKind::input_path: return ".";
    case ValueKind::text:
    case ValueKind::any_text:
    case ValueKind::output_path:
    case ValueKind::list: return "sample";
  }
  return "";
}

// An option that is asked for but not in the table is Error{internal}: see that no command has one.
TEST_F(Commands, NeverAskForAnOptionThatTheyDoNotHave) {
  for (const Command* const command : commands()) {
    std::vector<std::string> words;
    for (const Argument& argument : command->arguments) {
      if (argument.arity == Arity::one) words.emplace_back(argument.kind == ValueKind::input_path ? "." : "sample");
    }
    for (const Option& option : all_options(*command)) {
      if (option.name == "--help" || option.name == "--quiet") continue;
      words.emplace_back(option.name);
      if (option.kind != ValueKind::none) words.push_back(sample_value(option));
    }
    const Arguments arguments = Arguments::parse(*command, words);
    const Clock clock;
    const auto nowhere = [](std::string_view) {};
    Console console({}, nowhere, nowhere, clock);
    try {
      (void)command->run({arguments, console, no_progress()});
    } catch (const Error& error) {
      EXPECT_NE(error.kind(), ErrorKind::internal) << command->name << ": " << error.what();
    }
  }
}

TEST_F(Commands, EngineOptionsReachTheEngine) {
  const std::vector<std::string> words{"sample",
                                       "--provider",
                                       "cuda,cpu",
                                       "--provider-option",
                                       "cuda.device_id=1",
                                       "--schedule",
                                       "throughput",
                                       "--load",
                                       "map",
                                       "--intra-op",
                                       "2",
                                       "--inter-op",
                                       "3",
                                       "--execution",
                                       "parallel",
                                       "--graph-optimization",
                                       "basic",
                                       "--mem-pattern",
                                       "on",
                                       "--arena",
                                       "off",
                                       "--spin",
                                       "on",
                                       "--affinity",
                                       "1;2",
                                       "--threads",
                                       "4",
                                       "--ort-library",
                                       "."};
  fs::create_directory("sample");
  const engine::Options options = engine_options(Arguments::parse(find_command("run"), words));
  EXPECT_THAT(options.providers, ::testing::ElementsAre("cuda", "cpu"));
  EXPECT_THAT(options.provider_options, ::testing::ElementsAre(::testing::Pair("cuda.device_id", "1")));
  EXPECT_EQ(options.schedule, engine::Schedule::throughput);
  EXPECT_EQ(options.load, engine::Load::map);
  EXPECT_EQ(options.intra_op, 2U);
  EXPECT_EQ(options.inter_op, 3U);
  EXPECT_EQ(options.execution, engine::Execution::parallel);
  EXPECT_EQ(options.optimization, engine::GraphOptimization::basic);
  EXPECT_TRUE(options.memory_pattern);
  EXPECT_FALSE(options.arena);
  EXPECT_TRUE(options.spin);
  EXPECT_EQ(options.affinity, "1;2");
  EXPECT_EQ(options.threads, 4U);
  EXPECT_EQ(options.ort_library, ".");
}

// The defaults that the help tells are those that the engine has.
TEST_F(Commands, EngineDefaultsInTheHelpAreTheEnginesOwn) {
  fs::create_directory("sample");
  std::vector<std::string> words{"sample"};
  for (const Option& option : engine_option_group().options) {
    if (option.kind != ValueKind::choice && option.name != "--inter-op") continue;
    words.emplace_back(option.name);
    words.emplace_back(option.fallback);
  }
  const engine::Options told = engine_options(Arguments::parse(find_command("run"), words));
  const engine::Options own;
  EXPECT_EQ(told.schedule, own.schedule);
  EXPECT_EQ(told.load, own.load);
  EXPECT_EQ(told.inter_op, own.inter_op);
  EXPECT_EQ(told.execution, own.execution);
  EXPECT_EQ(told.optimization, own.optimization);
  EXPECT_EQ(told.memory_pattern, own.memory_pattern);
  EXPECT_EQ(told.arena, own.arena);
  EXPECT_EQ(told.spin, own.spin);
}

std::vector<std::size_t> line_widths(std::string_view text) {
  std::vector<std::size_t> widths;
  for (const std::string_view line : split(text, '\n')) widths.push_back(text_width(line));
  return widths;
}

TEST_F(Commands, HelpNamesEverythingAndFitsATerminal) {
  for (const Command* const command : commands()) {
    const std::string help = help_of(*command);
    for (const Option& option : all_options(*command)) EXPECT_THAT(help, HasSubstr(std::string(option.name)));
    for (const Argument& argument : command->arguments) EXPECT_THAT(help, HasSubstr(std::string(argument.name)));
    EXPECT_THAT(line_widths(help), Each(Le(100U))) << command->name;
  }
  EXPECT_THAT(line_widths(overview()), Each(Le(105U)));
  EXPECT_THAT(line_widths(road()), Each(Le(105U)));
}

TEST_F(Commands, HelpAndPageHideWhatIsNotForUsers) {
  for (const std::string& text : {overview(), road(), command_line_page()}) {
    EXPECT_THAT(text, HasSubstr("berth export CHECKPOINT -o DIR"));
    EXPECT_THAT(text, ::testing::Not(HasSubstr("berth docs PAGE")));
  }
}

}  // namespace
}  // namespace berth::cli
