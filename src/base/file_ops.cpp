// The real system calls behind FileOps.
#include "base/file_ops.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

namespace berth {
namespace {

FileOps& real_file_ops() noexcept {
  static FileOps ops;
  return ops;
}

FileOps* current_ops = nullptr;

}  // namespace

int FileOps::create(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (descriptor < 0) throw_io_error(path, "cannot be created", errno);
  return descriptor;
}

void FileOps::write(int descriptor, const std::filesystem::path& path, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_io_error(path, "cannot be written", errno);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void FileOps::start_write_back(int descriptor, std::uint64_t offset, std::uint64_t size) noexcept {
  // Only a hint: a file system that cannot do it makes sync() take longer.
  ::sync_file_range(descriptor, static_cast<off_t>(offset), static_cast<off_t>(size), SYNC_FILE_RANGE_WRITE);
}

void FileOps::sync(int descriptor, const std::filesystem::path& path) {
  if (::fsync(descriptor) != 0) throw_io_error(path, "cannot be synced to disk", errno);
}

void FileOps::close(int descriptor) noexcept { ::close(descriptor); }

void FileOps::make_folder(const std::filesystem::path& path) {
  if (::mkdir(path.c_str(), 0755) != 0) throw_io_error(path, "cannot be created", errno);
}

void FileOps::sync_folder(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) throw_io_error(path, "cannot be opened", errno);
  const int result = ::fsync(descriptor);
  const int reason = errno;
  ::close(descriptor);
  // Some file systems cannot sync a folder; their renames are ordered by themselves.
  if (result != 0 && reason != EINVAL) throw_io_error(path, "cannot be synced to disk", reason);
}

void FileOps::rename(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) throw_io_error(to, "cannot be put in place", errno);
}

void FileOps::remove_all(const std::filesystem::path& path) noexcept {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

FileOps& file_ops() noexcept { return current_ops != nullptr ? *current_ops : real_file_ops(); }

ScopedFileOps::ScopedFileOps(FileOps& replacement) noexcept : previous_(current_ops) { current_ops = &replacement; }
ScopedFileOps::~ScopedFileOps() { current_ops = previous_; }

}  // namespace berth
