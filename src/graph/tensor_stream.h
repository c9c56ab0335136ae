// The stored bytes of a tensor, made block by block from its source: as they are, converted, or with the axes swapped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "berth/graph.h"

namespace berth::graph {

// Where a tensor's bytes go.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual void write_stable(
      std::span<const std::byte> bytes) = 0;  // stay valid and unchanged as long as the sink lives
  // Scratch memory for the next write_block(), at least kBlockBytes; aligned for any element type.
  [[nodiscard]] virtual std::span<std::byte> block() = 0;
  virtual void write_block(std::size_t size) = 0;  // the first `size` bytes of the block
};

inline constexpr std::size_t kBlockBytes = std::size_t{512} << 10;  // a few of them fit in the second-level cache

// How many bytes stream_tensor() gives. Throws Error{internal} when source, shape and type of the tensor do not fit
// each other, Error{unsupported} for a conversion that would lose values.
[[nodiscard]] std::uint64_t streamed_bytes(const Tensor& tensor);

void stream_tensor(const Tensor& tensor, ByteSink& sink);

}  // namespace berth::graph
