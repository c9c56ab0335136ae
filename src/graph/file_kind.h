// What a file really is that was given as an ONNX model.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace berth::graph {

struct FileKind {
  std::string what;  // "a Git LFS pointer"
  std::string hint;
};

// Looks at the first bytes. `what` is empty for what may be an ONNX model.
[[nodiscard]] FileKind recognise(std::span<const std::byte> bytes);

}  // namespace berth::graph
