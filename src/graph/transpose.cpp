// Transposition tile by tile. A tile reads and writes whole cache lines of 4-byte elements, and both sides stay in the
// first-level cache; inside it, elements move as 4 × 4 blocks in vector registers (two rounds of interleaving).
#include "graph/transpose.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "berth/error.h"

namespace berth::graph {
namespace {

constexpr std::size_t kTile = 16;

template <typename Element>
void transpose_plain(MatrixSource source, MatrixTarget target, std::size_t rows, std::size_t columns) {
  for (std::size_t column = 0; column < columns; ++column) {
    std::byte* const to = target.data + column * target.stride;
    const std::byte* const from = source.data + column * sizeof(Element);
    for (std::size_t row = 0; row < rows; ++row) {
      std::memcpy(to + row * sizeof(Element), from + row * source.stride, sizeof(Element));
    }
  }
}

using FourWords = std::uint32_t __attribute__((vector_size(16)));

FourWords load(const std::byte* from) {
  FourWords words;
  std::memcpy(&words, from, sizeof(words));
  return words;
}

void store(FourWords words, std::byte* to) { std::memcpy(to, &words, sizeof(words)); }

void transpose_4x4(MatrixSource source, MatrixTarget target) {
  const FourWords row0 = load(source.data);
  const FourWords row1 = load(source.data + source.stride);
  const FourWords row2 = load(source.data + 2 * source.stride);
  const FourWords row3 = load(source.data + 3 * source.stride);
  const FourWords low02 = __builtin_shufflevector(row0, row2, 0, 4, 1, 5);
  const FourWords high02 = __builtin_shufflevector(row0, row2, 2, 6, 3, 7);
  const FourWords low13 = __builtin_shufflevector(row1, row3, 0, 4, 1, 5);
  const FourWords high13 = __builtin_shufflevector(row1, row3, 2, 6, 3, 7);
  store(__builtin_shufflevector(low02, low13, 0, 4, 1, 5), target.data);
  store(__builtin_shufflevector(low02, low13, 2, 6, 3, 7), target.data + target.stride);
  store(__builtin_shufflevector(high02, high13, 0, 4, 1, 5), target.data + 2 * target.stride);
  store(__builtin_shufflevector(high02, high13, 2, 6, 3, 7), target.data + 3 * target.stride);
}

MatrixSource part(MatrixSource source, std::size_t row, std::size_t column, std::size_t element_size) {
  return {source.data + row * source.stride + column * element_size, source.stride};
}

MatrixTarget part(MatrixTarget target, std::size_t row, std::size_t column, std::size_t element_size) {
  return {target.data + row * target.stride + column * element_size, target.stride};
}

void transpose_words(MatrixSource source, MatrixTarget target, std::size_t rows, std::size_t columns) {
  const std::size_t whole_rows = rows - rows % 4;
  const std::size_t whole_columns = columns - columns % 4;
  for (std::size_t column = 0; column < whole_columns; column += 4) {
    for (std::size_t row = 0; row < whole_rows; row += 4) {
      transpose_4x4(part(source, row, column, 4), part(target, column, row, 4));
    }
  }
  transpose_plain<std::uint32_t>(part(source, 0, whole_columns, 4), part(target, whole_columns, 0, 4), rows,
                                 columns - whole_columns);
  transpose_plain<std::uint32_t>(part(source, whole_rows, 0, 4), part(target, 0, whole_rows, 4), rows - whole_rows,
                                 whole_columns);
}

// The rows of a matrix lie too far apart for the processor to guess which lines come next.
void prefetch(MatrixSource source, std::size_t rows) {
  for (std::size_t row = 0; row < rows; ++row) __builtin_prefetch(source.data + row * source.stride);
}

using TransposeTile = void (*)(MatrixSource, MatrixTarget, std::size_t rows, std::size_t columns);

TransposeTile tile_function(std::size_t element_size) {
  switch (element_size) {
    case 1: return transpose_plain<std::uint8_t>;
    case 2: return transpose_plain<std::uint16_t>;
    case 4: return transpose_words;
    case 8: return transpose_plain<std::uint64_t>;
    default:
      throw Error(ErrorKind::internal, "", "cannot transpose elements of " + std::to_string(element_size) + " bytes");
  }
}

}  // namespace

void transpose(MatrixSource source, MatrixTarget target, std::size_t rows, std::size_t columns,
               std::size_t element_size) {
  const TransposeTile transpose_tile = tile_function(element_size);
  for (std::size_t row = 0; row < rows; row += kTile) {
    for (std::size_t column = 0; column < columns; column += kTile) {
      const std::size_t height = std::min(kTile, rows - row);
      const std::size_t width = std::min(kTile, columns - column);
      if (column + width < columns) prefetch(part(source, row, column + width, element_size), height);
      transpose_tile(part(source, row, column, element_size), part(target, column, row, element_size), height, width);
    }
  }
}

}  // namespace berth::graph
