// The system calls through which berth writes files, behind one seam, so that tests can make the n-th of them fail.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace berth {

// Every member that is not noexcept throws Error{io} that names the path and the reason. Thread safe.
class FileOps {
 public:
  virtual ~FileOps() = default;
  virtual int create(const std::filesystem::path& path);                       // a new file for writing; refuses to replace
  virtual void write(int descriptor, const std::filesystem::path& path, std::span<const std::byte> bytes);
  virtual void start_write_back(int descriptor, std::uint64_t offset, std::uint64_t size) noexcept;
  virtual void sync(int descriptor, const std::filesystem::path& path);
  virtual void close(int descriptor) noexcept;
  virtual void make_folder(const std::filesystem::path& path);
  virtual void sync_folder(const std::filesystem::path& path);                 // makes renames inside it durable
  virtual void rename(const std::filesystem::path& from, const std::filesystem::path& to);      // `to` may be replaced
  virtual void remove_all(const std::filesystem::path& path) noexcept;
};

[[nodiscard]] FileOps& file_ops() noexcept;

// Puts `replacement` (not owned) in place of the real calls for this object's lifetime; for tests, not thread safe.
class ScopedFileOps {
 public:
  explicit ScopedFileOps(FileOps& replacement) noexcept;
  ~ScopedFileOps();
  ScopedFileOps(const ScopedFileOps&) = delete;
  ScopedFileOps& operator=(const ScopedFileOps&) = delete;

 private:
  FileOps* previous_;
};

}  // namespace berth
