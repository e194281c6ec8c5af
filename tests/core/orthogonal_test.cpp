// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <vector>

#include "layer/random_fill.hpp"

namespace maskflow {
namespace {

std::vector<float> orthogonal(Dim rows, Dim columns, std::uint64_t seed = 7) {
  std::vector<float> matrix(static_cast<std::size_t>(rows * columns));
  Random random(seed);
  fill_orthogonal(matrix, rows, columns, 1, random);
  return matrix;
}

// The largest deviation of the products of all pairs of vectors from those of an orthonormal set.
double deviation(const std::vector<float>& matrix, Dim rows, Dim columns) {
  const Dim count = std::min(rows, columns);
  const Dim length = std::max(rows, columns);
  const auto at = [&](Dim vector, Dim i) {
    const Dim place = columns > rows ? vector * columns + i : i * columns + vector;
    return static_cast<double>(matrix[static_cast<std::size_t>(place)]);
  };
  double max = 0;
  // Compares each vector with its next neighbours and with vectors at distances of powers of two.
  for (Dim a = 0; a < count; ++a) {
    for (Dim distance = 0; a + distance < count; distance = distance == 0 ? 1 : 2 * distance) {
      double dot = 0;
      for (Dim i = 0; i < length; ++i) dot += at(a, i) * at(a + distance, i);
      max = std::max(max, std::fabs(dot - (distance == 0 ? 1 : 0)));
    }
  }
  return max;
}

TEST(Orthogonal, VectorsAreOrthonormalToFloatAccuracy) {
  const std::pair<Dim, Dim> shapes[] = {{3, 5},      {5, 3},     {64, 256},   {512, 2048},
                                        {2048, 512}, {700, 700}, {513, 1025}, {1, 1 << 17}};
  for (const auto& [rows, columns] : shapes) {
    EXPECT_LT(deviation(orthogonal(rows, columns), rows, columns), 1e-6)
        << rows << " x " << columns;
  }
}

TEST(Orthogonal, ElementsOfLargeMatricesLookNormal) {
  for (const auto& [rows, columns] : {std::pair<Dim, Dim>{512, 2048}, {700, 900}, {500, 1023}}) {
    const std::vector<float> matrix = orthogonal(rows, columns);
    double sum = 0;
    double squares = 0;
    double fourth = 0;
    for (const float x : matrix) {
      const double square = static_cast<double>(x) * static_cast<double>(x);
      sum += static_cast<double>(x);
      squares += square;
      fourth += square * square;
    }
    const auto n = static_cast<double>(matrix.size());
    const double variance = squares / n;
    EXPECT_NEAR(variance * static_cast<double>(columns), 1, 1e-5);
    EXPECT_LT(std::fabs(sum / n), 4 * std::sqrt(variance / n));
    EXPECT_NEAR(fourth / n / (variance * variance), 3, 0.1);
  }
}

TEST(Orthogonal, ResultDependsOnTheSeedAlone) {
  EXPECT_EQ(orthogonal(512, 2048, 1), orthogonal(512, 2048, 1));
  const std::vector<float> one = orthogonal(512, 2048, 1);
  const std::vector<float> other = orthogonal(512, 2048, 2);
  double dot = 0;
  for (std::size_t i = 0; i < 2048; ++i) dot += static_cast<double>(one[i] * other[i]);
  EXPECT_LT(std::fabs(dot), 5 / std::sqrt(2048));
}

TEST(Orthogonal, LargeMatrixTakesSecondsAtMost) {
  // CPU time, because other programs may keep the machine busy.
  const std::clock_t start = std::clock();
  const std::vector<float> matrix = orthogonal(2048, 8192);
  EXPECT_LT(std::clock() - start, 20 * CLOCKS_PER_SEC);
}

}  // namespace
}  // namespace maskflow
