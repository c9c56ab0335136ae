// Bounded reading, and writing that is whole or absent.
#include "base/file.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include "base/file_ops.h"
#include "berth/error.h"

namespace berth {
namespace {

constexpr std::string_view kStagingMark = ".berth-";

// The disk starts on a large file while it is still being written, so that little is left for the sync at its end.
constexpr std::uint64_t kWriteBackBytes = 8 << 20;

// The folder, locked for as long as this process lives and keeps the descriptor; -1 when another process has it. The
// kernel drops the lock of a process that dies, whatever its number was and in whichever container it ran.
int lock_folder(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor >= 0 && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
  if (descriptor >= 0) ::close(descriptor);
  return -1;
}

// An export that was killed leaves its staging folder: the next one to the same target takes it away.
void remove_abandoned_stagings(const fs::path& parent, const std::string& prefix) {
  std::error_code ignored;
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent, ignored)) {
    const std::string name = entry.path().filename().string();
    const std::string_view number = std::string_view(name).substr(std::min(prefix.size(), name.size()));
    const bool is_number = !number.empty() && number.find_first_not_of("0123456789-") == std::string_view::npos;
    if (name.starts_with(prefix) && is_number) found.push_back(entry.path());
  }
  for (const fs::path& staging : found) {
    const int lock = lock_folder(staging);
    if (lock < 0) continue;
    file_ops().remove_all(staging);
    ::close(lock);
  }
}

}  // namespace

void throw_io_error(const fs::path& path, const std::string& what, int error_number) {
  const ErrorKind kind = error_number == ENOENT ? ErrorKind::not_found : ErrorKind::io;
  throw Error(kind, path.string(), what + ": " + std::strerror(error_number));
}

std::string read_file(const fs::path& path, std::uint64_t limit) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe must not make us wait
  if (descriptor < 0) throw_io_error(path, "cannot be opened", errno);
  struct Closer {
    int descriptor;
    ~Closer() { ::close(descriptor); }
  } const closer{descriptor};

  struct stat status {};
  if (::fstat(descriptor, &status) != 0) throw_io_error(path, "cannot be examined", errno);
  if (!S_ISREG(status.st_mode)) throw Error(ErrorKind::invalid_input, path.string(), "is not a regular file");
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size > limit) {
    throw Error(ErrorKind::limit, path.string(),
                "has " + std::to_string(size) + " bytes, expected at most " + std::to_string(limit));
  }
  std::string content(size, '\0');
  std::size_t done = 0;
  while (done < content.size()) {
    const ssize_t got = ::read(descriptor, content.data() + done, content.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_io_error(path, "cannot be read", errno);
    if (got == 0) throw Error(ErrorKind::io, path.string(), "shrank while it was read");
    done += static_cast<std::size_t>(got);
  }
  return content;
}

FileWriter::FileWriter(fs::path path) : path_(std::move(path)), descriptor_(file_ops().create(path_)) {}

FileWriter::~FileWriter() {
  if (descriptor_ >= 0) file_ops().close(descriptor_);
}

void FileWriter::write(std::span<const std::byte> bytes) {
  file_ops().write(descriptor_, path_, bytes);
  size_ += bytes.size();
  if (size_ - written_back_ >= kWriteBackBytes) {
    file_ops().start_write_back(descriptor_, written_back_, size_ - written_back_);
    written_back_ = size_;
  }
}

void FileWriter::write(std::string_view text) { write(std::as_bytes(std::span(text))); }

void FileWriter::finish() {
  file_ops().sync(descriptor_, path_);
  file_ops().close(descriptor_);
  descriptor_ = -1;
}

void write_new_file(const fs::path& path, std::string_view text) {
  FileWriter writer(path);
  writer.write(text);
  writer.finish();
}

StagedFolder::StagedFolder(fs::path target) : target_(fs::absolute(std::move(target)).lexically_normal()) {
  if (!target_.has_filename()) target_ = target_.parent_path();  // "out/" means "out"
  std::error_code ignored;
  const bool occupied = fs::exists(fs::symlink_status(target_, ignored)) &&
                        !(fs::is_directory(fs::symlink_status(target_, ignored)) && fs::is_empty(target_, ignored));
  if (occupied) {
    throw Error(ErrorKind::io, target_.string(), "exists already",
                "choose another output folder, or remove this one first; berth never overwrites a model");
  }
  const fs::path parent = target_.parent_path();
  fs::create_directories(parent, ignored);
  if (!fs::is_directory(parent, ignored))
    throw Error(ErrorKind::io, parent.string(), "is not a folder and cannot be made one");

  const std::string prefix = "." + target_.filename().string() + std::string(kStagingMark);
  remove_abandoned_stagings(parent, prefix);
  static std::atomic<unsigned> made{0};
  do {
    staging_ = parent / (prefix + std::to_string(::getpid()) + "-" + std::to_string(++made));
  } while (fs::exists(staging_, ignored));
  file_ops().make_folder(staging_);
  lock_ = lock_folder(staging_);
}

StagedFolder::~StagedFolder() {
  if (!committed_) file_ops().remove_all(staging_);
  if (lock_ >= 0) ::close(lock_);
}

void StagedFolder::commit() {
  file_ops().sync_folder(staging_);
  file_ops().rename(staging_, target_);  // replaces an empty folder only
  committed_ = true;
  file_ops().sync_folder(target_.parent_path());
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "berth-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw_io_error(name, "cannot be created", errno);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace berth
