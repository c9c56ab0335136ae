// What a file really is when it is not what its name says: a pointer of Git LFS, an error page of a server, a pickle.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace berth::checkpoint {

struct FileKind {
  std::string what;  // "a Git LFS pointer, not the file itself"
  std::string hint;  // what to do about it
};

// Judges by the first few hundred bytes; nothing when they tell nothing.
[[nodiscard]] std::optional<FileKind> recognise(std::span<const std::byte> file);

}  // namespace berth::checkpoint
