// Documentation that is made from tables is as new as the tables.
#include <gmock/gmock.h>
#include <sstream>
#include <string>

#include "base/file.h"
#include "support/paths.h"
#include "support/process.h"

namespace berth {
namespace {

// "line 12: …", the first in which they differ; empty when they are equal.
std::string first_difference(const std::string& written, const std::string& made) {
  std::istringstream left(written);
  std::istringstream right(made);
  for (int line = 1;; ++line) {
    std::string here;
    std::string there;
    const bool more_here = static_cast<bool>(std::getline(left, here));
    const bool more_there = static_cast<bool>(std::getline(right, there));
    if (!more_here && !more_there) return "";
    if (here != there) return "line " + std::to_string(line) + ": \"" + here + "\", expected \"" + there + "\"";
  }
}

TEST(SystemDocs, TheCommandLinePageIsWhatTheOptionTablesSay) {
  const test::Finished made = test::run_berth({"docs", "cli"});
  ASSERT_EQ(made.exit_code, 0) << made.messages;
  EXPECT_EQ(first_difference(read_file(test::source_root() / "docs/cli.md", 1U << 20), made.output), "")
      << "docs/cli.md is older than the option tables; make it anew with: build/release/bin/berth docs cli > "
         "docs/cli.md";
}

}  // namespace
}  // namespace berth
