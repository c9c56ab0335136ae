// Documentation that is made from tables is as new as the tables.
#include <gmock/gmock.h>

#include "base/file.h"
#include "support/paths.h"
#include "support/process.h"

namespace berth {
namespace {

TEST(SystemDocs, TheCommandLinePageIsWhatTheOptionTablesSay) {
  const test::Finished made = test::run_berth({"docs", "cli"});
  ASSERT_EQ(made.exit_code, 0) << made.messages;
  EXPECT_EQ(read_file(test::source_root() / "docs/cli.md", 1U << 20), made.output)
      << "docs/cli.md is not what the option tables say; make it anew with: build/release/bin/berth docs cli > docs/cli.md";
}

}  // namespace
}  // namespace berth
