// Files: bounded reading, and writing that leaves a whole file (or folder) or none at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace berth {

namespace fs = std::filesystem;

// Throws Error{not_found} for ENOENT and Error{io} otherwise: "PATH: WHAT: REASON".
[[noreturn]] void throw_io_error(const fs::path& path, const std::string& what, int error_number);

// The whole file; Error{limit} when it is larger than `limit` bytes. Pipes and devices are refused (they have no size).
[[nodiscard]] std::string read_file(const fs::path& path, std::uint64_t limit);

// Appends to a new file through FileOps. Nothing is buffered: callers write blocks.
class FileWriter {
 public:
  explicit FileWriter(fs::path path);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);
  void finish();                                                     // fsync and close; the file is durable after it
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] const fs::path& path() const noexcept { return path_; }

 private:
  fs::path path_;
  int descriptor_;
  std::uint64_t size_ = 0;
  std::uint64_t written_back_ = 0;                                   // the disk has been asked for the bytes before
};

// Writes `text` as a whole file in a folder that is itself being staged (see StagedFolder).
void write_new_file(const fs::path& path, std::string_view text);

// A folder that is built beside its target and renamed into place by commit(); without commit() nothing is left.
// The target must not exist: berth never overwrites a folder.
//
//   StagedFolder staged("out");
//   write_new_file(staged.path() / "manifest.json", text);
//   staged.commit();
class StagedFolder {
 public:
  explicit StagedFolder(fs::path target);
  ~StagedFolder();
  StagedFolder(const StagedFolder&) = delete;
  StagedFolder& operator=(const StagedFolder&) = delete;

  [[nodiscard]] const fs::path& path() const noexcept { return staging_; }
  [[nodiscard]] const fs::path& target() const noexcept { return target_; }
  void commit();

 private:
  fs::path target_;
  fs::path staging_;
  int lock_ = -1;                                                    // tells others that the staging folder is alive
  bool committed_ = false;
};

// A folder for the program's own temporary files, removed with all it holds.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const fs::path& path() const noexcept { return path_; }

 private:
  fs::path path_;
};

}  // namespace berth
