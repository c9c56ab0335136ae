// A file mapped for reading. A file that another process truncates while it is mapped does not kill this one:
// the lost pages read as zeros and require_intact() says so.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace berth {

class MappedFile {
 public:
  MappedFile() = default;                                            // empty, maps nothing
  explicit MappedFile(std::filesystem::path path);                   // an empty file maps to an empty span
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return {data_, size_}; }
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

  // Throws Error{io} when the file shrank after it was mapped: what was read since may be zeros.
  void require_intact() const;

 private:
  struct Descriptor {
    int number = -1;
    explicit Descriptor(int opened = -1) noexcept : number(opened) {}
    Descriptor(Descriptor&& other) noexcept;
    ~Descriptor();
  };

  std::filesystem::path path_;
  Descriptor descriptor_;                                            // kept to see whether the file shrinks
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t slot_ = 0;  // in the table that the SIGBUS handler reads
};

}  // namespace berth
