// Mapped files, and files that shrink under their mapping.
#include "base/mapped_file.h"

#include <algorithm>
#include <csignal>
#include <gmock/gmock.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "berth/error.h"

namespace berth {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t kPage = 4096;

std::string text_of(const MappedFile& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

class Mapping : public ::testing::Test {
 protected:
  fs::path make(const std::string& name, const std::string& text) {
    write_new_file(folder_.path() / name, text);
    return folder_.path() / name;
  }
  TemporaryFolder folder_;
};

TEST_F(Mapping, ShowsTheFile) {
  const std::string text(3 * kPage + 5, 'x');
  const MappedFile file(make("a", text));
  EXPECT_EQ(text_of(file), text);
  EXPECT_NO_THROW(file.require_intact());
}

TEST_F(Mapping, OfAnEmptyFileIsEmpty) {
  const MappedFile file(make("a", ""));
  EXPECT_TRUE(file.bytes().empty());
  EXPECT_NO_THROW(file.require_intact());
  EXPECT_NO_THROW(MappedFile().require_intact());
}

TEST_F(Mapping, MovesWithItsBytes) {
  MappedFile first(make("a", "first"));
  MappedFile second(std::move(first));
  EXPECT_EQ(text_of(second), "first");
  MappedFile third(make("b", "third"));
  third = std::move(second);
  EXPECT_EQ(text_of(third), "first");
  EXPECT_NO_THROW(third.require_intact());
}

TEST_F(Mapping, RefusesWhatIsNoFile) {
  ASSERT_EQ(::mkfifo((folder_.path() / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(refusal([&] { MappedFile file(folder_.path()); }), HasSubstr("is not a regular file"));
  EXPECT_THAT(refusal([&] { MappedFile file(folder_.path() / "pipe"); }), HasSubstr("is not a regular file"));
  EXPECT_THAT(refusal([&] { MappedFile file(folder_.path() / "none"); }), HasSubstr("No such file"));
}

TEST_F(Mapping, OfAFileThatShrinksReadsZerosAndSaysSo) {
  const MappedFile other(make("other", "untouched"));
  const MappedFile file(make("a", std::string(8 * kPage, 'x')));
  ASSERT_EQ(::truncate(file.path().c_str(), kPage), 0);
  const auto is_zero = [](std::byte byte) { return byte == std::byte{0}; };
  const auto lost = file.bytes().subspan(kPage);
  EXPECT_TRUE(std::all_of(lost.begin(), lost.end(), is_zero));  // without the handler the process dies here
  EXPECT_THAT(refusal([&] { file.require_intact(); }), HasSubstr("a: shrank while it was being read"));
  EXPECT_NO_THROW(other.require_intact());
  EXPECT_EQ(text_of(other), "untouched");
}

TEST_F(Mapping, NoticesAFileThatShrinksInsideItsLastPage) {  // which the processor does not
  const MappedFile file(make("a", std::string(100, 'x')));
  ASSERT_EQ(::truncate(file.path().c_str(), 99), 0);
  EXPECT_EQ(file.bytes()[99], std::byte{0});
  EXPECT_THAT(refusal([&] { file.require_intact(); }), HasSubstr("shrank"));
}

TEST_F(Mapping, IsNotDisturbedByAFileThatTakesThePlace) {
  const MappedFile file(make("a", "old"));
  fs::rename(make("b", ""), file.path());
  EXPECT_EQ(text_of(file), "old");
  EXPECT_NO_THROW(file.require_intact());
}

TEST_F(Mapping, SlotsAreUsedAgain) {
  const fs::path path = make("a", "text");
  for (int i = 0; i < 10'000; ++i) ASSERT_EQ(MappedFile(path).bytes().size(), 4U);
}

TEST_F(Mapping, OtherBusErrorsStillEndTheProcess) {
  const MappedFile file(make("a", "text"));  // the handler is in place
  // The address sanitizer, which handled the signal before, exits instead.
  const auto ended = [](int status) { return status != 0; };
  EXPECT_EXIT(std::raise(SIGBUS); std::raise(SIGBUS); ::_exit(0), ended, "");
}

}  // namespace
}  // namespace berth
