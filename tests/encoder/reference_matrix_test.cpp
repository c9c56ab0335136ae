// The product of the reference against three plain loops, and the threads that share its work.
#include "encoder/reference_matrix.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <stdexcept>

#include "encoder/reference_threads.h"

namespace berth::encoder::reference {
namespace {

Matrix wave(std::size_t rows, std::size_t columns, double step) {
  Matrix matrix(rows, columns);
  for (std::size_t i = 0; i < matrix.values.size(); ++i) matrix.values[i] = std::sin(static_cast<double>(i) * step);
  return matrix;
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

TEST(ReferenceMatrix, MultipliesEveryShape) {
  for (std::size_t rows = 1; rows <= 9; ++rows) {
    for (std::size_t others = 1; others <= 5; ++others) {
      for (const std::size_t length : {1U, 2U, 3U, 4U, 5U, 7U, 8U, 31U}) {
        const Matrix a = wave(rows, length, 0.7);
        const Matrix b = wave(others, length, 1.3);
        Matrix product(rows, others);
        multiply_transposed(a.view(), b.view(), product.view());
        for (std::size_t i = 0; i < rows; ++i) {
          for (std::size_t j = 0; j < others; ++j) {
            ASSERT_NEAR(product[i][j], dot(a.view()[i], b.view()[j]), 1e-13)
                << rows << "x" << length << " by " << others << "x" << length;
          }
        }
      }
    }
  }
}

TEST(ReferenceMatrix, LeavesWhatIsOutsideTheViewAlone) {
  const Matrix a = wave(5, 12, 0.7);
  const Matrix b = wave(3, 12, 1.3);
  Matrix product(5, 7);
  multiply_transposed(a.view().columns_from(2, 6), b.view().columns_from(5, 6), product.view().columns_from(2, 3));
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 7; ++j) {
      const bool inside = j >= 2 && j < 5;
      const double expected = inside ? dot(a.view()[i].subspan(2, 6), b.view()[j - 2].subspan(5, 6)) : 0;
      EXPECT_NEAR(product[i][j], expected, 1e-13) << i << ", " << j;
    }
  }
}

TEST(ReferenceMatrix, GivesARowTheSameBitsInAnyCompany) {
  const Matrix a = wave(7, 29, 0.7);
  const Matrix b = wave(5, 29, 1.3);
  Matrix together(7, 5);
  multiply_transposed(a.view(), b.view(), together.view());
  for (std::size_t i = 0; i < 7; ++i) {
    Matrix alone(1, 5);
    multiply_transposed({a.view()[i].data(), 1, 29, 29}, b.view(), alone.view());
    EXPECT_EQ(std::vector(together[i].begin(), together[i].end()), alone.values) << i;
  }
}

TEST(ReferenceThreads, HandOutEveryTaskOnce) {
  for (const std::size_t tasks : {0U, 1U, 2U, 100U}) {
    std::vector<std::atomic<int>> taken(tasks);
    std::atomic<std::size_t> workers = 0;
    share(tasks, 3, [&](TaskQueue& queue) {
      ++workers;
      while (const auto task = queue.take()) ++taken.at(*task);
    });
    for (const std::atomic<int>& times : taken) EXPECT_EQ(times, 1);
    EXPECT_GE(workers, 1U);
    EXPECT_LE(workers, std::max<std::size_t>(1, std::min<std::size_t>(tasks, 3)));
  }
}

TEST(ReferenceThreads, PassOnWhatAWorkerThrows) {
  const auto fail = [](TaskQueue& queue) {
    while (const auto task = queue.take()) {
      if (*task == 5) throw std::runtime_error("task 5");
    }
  };
  EXPECT_THROW(share(10, 2, fail), std::runtime_error);
  EXPECT_THROW(share(10, 1, fail), std::runtime_error);
}

}  // namespace
}  // namespace berth::encoder::reference
