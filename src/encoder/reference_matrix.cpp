// A dot product keeps four partial sums side by side (GCC's and clang's vector extension, which the compiler maps to
// whatever the target has); a tile of 4 × 2 dot products runs together, so that each loaded value is used more than
// once and no addition waits for the last. The same source is compiled twice, and the CPU chooses.
#include "encoder/reference_matrix.h"

#include "base/cpu.h"

namespace berth::encoder::reference {
namespace {

using Lanes [[gnu::vector_size(32), gnu::aligned(8), gnu::may_alias]] = double;
constexpr std::size_t kLanes = 4;
constexpr std::size_t kTileRows = 4;     // of a
constexpr std::size_t kTileColumns = 2;  // rows of b

template <std::size_t kRows, std::size_t kColumns>
[[gnu::always_inline]] inline void multiply_tile(Rows a, std::size_t i, Rows b, std::size_t j, MutableRows out) {
  Lanes sums[kRows][kColumns] = {};
  std::size_t k = 0;
  for (; k + kLanes <= a.columns; k += kLanes) {
    for (std::size_t row = 0; row < kRows; ++row) {
      const Lanes left = *reinterpret_cast<const Lanes*>(a.data + (i + row) * a.stride + k);
      for (std::size_t column = 0; column < kColumns; ++column) {
        sums[row][column] += left * *reinterpret_cast<const Lanes*>(b.data + (j + column) * b.stride + k);
      }
    }
  }
  for (std::size_t row = 0; row < kRows; ++row) {
    for (std::size_t column = 0; column < kColumns; ++column) {
      const Lanes& lanes = sums[row][column];
      double sum = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
      for (std::size_t rest = k; rest < a.columns; ++rest) {
        sum += a.data[(i + row) * a.stride + rest] * b.data[(j + column) * b.stride + rest];
      }
      out.data[(i + row) * out.stride + j + column] = sum;
    }
  }
}

template <std::size_t kRows>
[[gnu::always_inline]] inline void multiply_band(Rows a, std::size_t i, Rows b, MutableRows out) {
  std::size_t j = 0;
  for (; j + kTileColumns <= b.rows; j += kTileColumns) multiply_tile<kRows, kTileColumns>(a, i, b, j, out);
  for (; j < b.rows; ++j) multiply_tile<kRows, 1>(a, i, b, j, out);
}

[[gnu::always_inline]] inline void multiply(Rows a, Rows b, MutableRows out) {
  std::size_t i = 0;
  for (; i + kTileRows <= a.rows; i += kTileRows) multiply_band<kTileRows>(a, i, b, out);
  for (; i < a.rows; ++i) multiply_band<1>(a, i, b, out);
}

void multiply_baseline(Rows a, Rows b, MutableRows out) { multiply(a, b, out); }

[[gnu::target("avx2")]] void multiply_avx2(Rows a, Rows b, MutableRows out) { multiply(a, b, out); }

}  // namespace

void multiply_transposed(Rows a, Rows b, MutableRows out) {
  static const auto chosen = cpu().features.avx2 ? multiply_avx2 : multiply_baseline;
  chosen(a, b, out);
}

}  // namespace berth::encoder::reference
