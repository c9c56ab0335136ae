// Libraries opened at run time.
#include "base/dynamic_library.h"

#include <gmock/gmock.h>

#include "base/file.h"
#include "berth/error.h"
#include "support/paths.h"

namespace berth {
namespace {

using ::testing::HasSubstr;

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return std::string(name_of(error.kind())) + ": " + error.what();
  }
  return "nothing was thrown";
}

TEST(DynamicLibrary, FindsFunctions) {
  const DynamicLibrary library(test::ort_library());
  EXPECT_NE(library.symbol("OrtGetApiBase"), nullptr);
  EXPECT_THAT(refusal([&] { (void)library.symbol("NoSuchFunction"); }), HasSubstr("has no function NoSuchFunction"));
}

TEST(DynamicLibrary, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  write_new_file(folder.path() / "text.so", "this is no library");
  EXPECT_THAT(refusal([&] { DynamicLibrary library(folder.path() / "none.so"); }),
              HasSubstr("not_found: " + (folder.path() / "none.so").string() + ": this library is missing"));
  EXPECT_THAT(refusal([&] { DynamicLibrary library(folder.path() / "text.so"); }), HasSubstr("io: "));
  EXPECT_THAT(refusal([&] { DynamicLibrary library(folder.path()); }), HasSubstr("cannot be loaded as a library"));
}

TEST(DynamicLibrary, ABareNameIsAFileOfTheCurrentFolder) {  // dlopen would look in the system's folders
  const TemporaryFolder folder;
  write_new_file(folder.path() / "libc.so.6", "not the system's");
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  const std::string outcome = refusal([&] { DynamicLibrary library("libc.so.6"); });
  fs::current_path(before);
  EXPECT_THAT(outcome, HasSubstr("cannot be loaded as a library"));
}

TEST(ExecutablePath, IsThisProgram) { EXPECT_EQ(executable_path().filename(), "berth_base_test"); }

}  // namespace
}  // namespace berth
