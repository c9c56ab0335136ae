// Swapping the two axes of a matrix in memory.
#pragma once

#include <cstddef>

namespace berth::graph {

// A matrix of elements somewhere in memory; the stride is counted in bytes from row to row.
struct MatrixSource {
  const std::byte* data;
  std::size_t stride;
};
struct MatrixTarget {
  std::byte* data;
  std::size_t stride;
};

// target[column][row] = source[row][column] for a part of `rows` × `columns` of the source. Elements of 1, 2, 4 or 8
// bytes; neither side need be aligned.
void transpose(MatrixSource source, MatrixTarget target, std::size_t rows, std::size_t columns,
               std::size_t element_size);

}  // namespace berth::graph
