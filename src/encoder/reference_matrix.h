// Matrices in double precision and the one product that all of the reference's arithmetic goes through.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace berth::encoder::reference {

// A view of rows of `columns` values each, `stride` values apart. The owner of the values must outlive it.
template <typename Value>
struct RowsOf {
  Value* data = nullptr;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t stride = 0;

  [[nodiscard]] std::span<Value> operator[](std::size_t row) const { return {data + row * stride, columns}; }
  [[nodiscard]] RowsOf columns_from(std::size_t first, std::size_t count) const {
    return {data + first, rows, count, stride};
  }
  [[nodiscard]] operator RowsOf<const Value>() const { return {data, rows, columns, stride}; }
};

using Rows = RowsOf<const double>;
using MutableRows = RowsOf<double>;

// Row-major; owns its values.
struct Matrix {
  Matrix(std::size_t row_count, std::size_t column_count)
      : rows(row_count), columns(column_count), values(row_count * column_count) {}

  [[nodiscard]] MutableRows view() { return {values.data(), rows, columns, columns}; }
  [[nodiscard]] Rows view() const { return {values.data(), rows, columns, columns}; }
  [[nodiscard]] std::span<double> operator[](std::size_t row) { return view()[row]; }

  std::size_t rows;
  std::size_t columns;
  std::vector<double> values;
};

// out(i, j) = Σ_k a(i, k) · b(j, k), that is A·Bᵀ: every sum runs along two contiguous rows. Each sum's order depends
// on its length alone, so a value does not depend on how many others are computed with it.
void multiply_transposed(Rows a, Rows b, MutableRows out);

}  // namespace berth::encoder::reference
