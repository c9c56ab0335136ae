// Files that are whole or absent: every system call of a write fails once, and nothing half-made is ever left.
#include "base/file.h"

#include <gmock/gmock.h>
#include <set>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file_ops.h"
#include "berth/error.h"

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

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

// Lets the real calls through but for the n-th, which fails as a full disk does.
class FailingOps final : public FileOps {
 public:
  explicit FailingOps(int fail_at) : fail_at_(fail_at) {}
  [[nodiscard]] bool has_failed() const { return calls_ >= fail_at_; }

  int create(const fs::path& path) override { return count(path), FileOps::create(path); }
  void write(int descriptor, const fs::path& path, std::span<const std::byte> bytes) override {
    if (calls_ + 1 == fail_at_) FileOps::write(descriptor, path, bytes.first(bytes.size() / 2));  // a torn write
    count(path);
    FileOps::write(descriptor, path, bytes);
  }
  void sync(int descriptor, const fs::path& path) override { count(path), FileOps::sync(descriptor, path); }
  void make_folder(const fs::path& path) override { count(path), FileOps::make_folder(path); }
  void sync_folder(const fs::path& path) override { count(path), FileOps::sync_folder(path); }
  void rename(const fs::path& from, const fs::path& to) override { count(to), FileOps::rename(from, to); }

 private:
  void count(const fs::path& path) {
    if (++calls_ == fail_at_) throw_io_error(path, "cannot be written", ENOSPC);
  }

  int fail_at_;
  int calls_ = 0;
};

void write_two_files(const fs::path& target) {
  StagedFolder staged(target);
  write_new_file(staged.path() / "a", "first");
  write_new_file(staged.path() / "b", "second");
  staged.commit();
}

TEST(StagedFolder, IsWholeOrAbsentWhicheverCallFails) {
  int failures = 0;
  for (int fail_at = 1;; ++fail_at) {
    ASSERT_LT(fail_at, 100);
    const TemporaryFolder folder;
    const fs::path target = folder.path() / "out";
    FailingOps ops(fail_at);
    const ScopedFileOps scope(ops);
    const std::string outcome = refusal([&] { write_two_files(target); });
    if (!ops.has_failed()) {
      EXPECT_EQ(outcome, "nothing was thrown");
      EXPECT_EQ(names_in(target), (std::set<std::string>{"a", "b"}));
      break;
    }
    ++failures;
    EXPECT_THAT(outcome, HasSubstr("io: ")) << fail_at;
    if (fs::exists(target)) {
      EXPECT_EQ(names_in(folder.path()), std::set<std::string>{"out"}) << fail_at;
      EXPECT_EQ(read_file(target / "a", 100) + read_file(target / "b", 100), "firstsecond") << fail_at;
    } else {
      EXPECT_EQ(names_in(folder.path()), std::set<std::string>{}) << fail_at;
    }
  }
  EXPECT_EQ(failures, 10);  // folder, 2 × (create, write, sync), sync, rename, sync: each of them was reached
}

TEST(StagedFolder, LeavesNothingWithoutCommit) {
  const TemporaryFolder folder;
  {
    const StagedFolder staged(folder.path() / "out");
    write_new_file(staged.path() / "a", "text");
    EXPECT_EQ(names_in(folder.path()).size(), 1U);
  }
  EXPECT_EQ(names_in(folder.path()), std::set<std::string>{});
}

TEST(StagedFolder, NeverReplacesWhatIsThere) {
  const TemporaryFolder folder;
  fs::create_directory(folder.path() / "full");
  write_new_file(folder.path() / "full/mine", "text");
  write_new_file(folder.path() / "file", "text");
  fs::create_directory_symlink(folder.path() / "nowhere", folder.path() / "link");
  for (const char* const name : {"full", "full/", "file", "link"}) {
    EXPECT_THAT(refusal([&] { StagedFolder staged(folder.path() / name); }), HasSubstr("exists already")) << name;
  }
  EXPECT_THAT(refusal([&] { StagedFolder staged(folder.path() / "file/out"); }), HasSubstr("file: is not a folder"));
  EXPECT_EQ(names_in(folder.path()), (std::set<std::string>{"full", "file", "link"}));
}

TEST(StagedFolder, TheSecondOfTwoToTheSameTargetFails) {
  const TemporaryFolder folder;
  StagedFolder first(folder.path() / "out");
  StagedFolder second(folder.path() / "out");
  write_new_file(first.path() / "a", "first");
  write_new_file(second.path() / "a", "second");
  first.commit();
  EXPECT_THAT(refusal([&] { second.commit(); }), HasSubstr("io: "));
  EXPECT_EQ(read_file(folder.path() / "out/a", 100), "first");
}

TEST(StagedFolder, FillsAnEmptyFolderAndMakesParents) {
  const TemporaryFolder folder;
  fs::create_directory(folder.path() / "empty");
  write_two_files(folder.path() / "empty");
  write_two_files(folder.path() / "a b/ü/out/");
  EXPECT_EQ(names_in(folder.path() / "empty").size(), 2U);
  EXPECT_EQ(names_in(folder.path() / "a b/ü/out").size(), 2U);
  EXPECT_EQ(names_in(folder.path() / "a b/ü"), std::set<std::string>{"out"});
}

// A child that stages and dies as kill -9 would have it die; the pipes order the two processes.
TEST(StagedFolder, TakesAwayWhatADeadProcessLeftAndOnlyThat) {
  const TemporaryFolder folder;
  const fs::path target = folder.path() / "out";
  int ready[2];
  int leave[2];
  ASSERT_EQ(::pipe(ready), 0);
  ASSERT_EQ(::pipe(leave), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(leave[1]);
    auto* const staged = new StagedFolder(target);  // never destroyed
    write_new_file(staged->path() / "half", "text");
    char byte = 'x';
    [[maybe_unused]] const ssize_t told = ::write(ready[1], &byte, 1);
    [[maybe_unused]] const ssize_t heard = ::read(leave[0], &byte, 1);
    ::_exit(0);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_EQ(names_in(folder.path()).size(), 1U);
  write_new_file(folder.path() / ".out.berth-notes", "a user's file");
  { const StagedFolder other(target); }
  EXPECT_EQ(names_in(folder.path()).size(), 2U) << "the staging folder of a living process was removed";

  ::close(leave[1]);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  { const StagedFolder other(target); }
  EXPECT_EQ(names_in(folder.path()), std::set<std::string>{".out.berth-notes"});
  for (const int descriptor : {ready[0], ready[1], leave[0]}) ::close(descriptor);
}

TEST(StagedFolder, AProcessOfTheSameNumberMayHaveDiedBefore) {  // in a container each berth may be process 7
  const TemporaryFolder folder;
  fs::create_directory(folder.path() / (".out.berth-" + std::to_string(::getpid()) + "-1"));
  write_two_files(folder.path() / "out");
  EXPECT_EQ(names_in(folder.path()), std::set<std::string>{"out"});
}

TEST(FileWriter, CountsAndRefusesToReplace) {
  const TemporaryFolder folder;
  FileWriter writer(folder.path() / "a");
  writer.write("one");
  writer.write(" two");
  writer.finish();
  EXPECT_EQ(writer.size(), 7U);
  EXPECT_EQ(read_file(folder.path() / "a", 7), "one two");
  EXPECT_THAT(refusal([&] { FileWriter again(folder.path() / "a"); }), HasSubstr("a: cannot be created: File exists"));
}

TEST(ReadFile, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  write_new_file(folder.path() / "a", "text");
  ASSERT_EQ(::mkfifo((folder.path() / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(read_file(folder.path() / "a", 4), "text");
  EXPECT_THAT(refusal([&] { (void)read_file(folder.path() / "a", 3); }), HasSubstr("limit: "));
  EXPECT_THAT(refusal([&] { (void)read_file(folder.path() / "none", 3); }), HasSubstr("not_found: "));
  EXPECT_THAT(refusal([&] { (void)read_file(folder.path(), 3); }), HasSubstr("is not a regular file"));
  EXPECT_THAT(refusal([&] { (void)read_file(folder.path() / "pipe", 3); }), HasSubstr("is not a regular file"));
}

TEST(TemporaryFolder, GoesWithAllItHolds) {
  fs::path path;
  {
    const TemporaryFolder folder;
    path = folder.path();
    fs::create_directories(path / "a/b");
    write_new_file(path / "a/b/c", "text");
  }
  EXPECT_FALSE(fs::exists(path));
}

}  // namespace
}  // namespace berth
