// SPDX-License-Identifier: MIT
#include "kernels/pooling.hpp"

#include <algorithm>
#include <limits>

#include "kernels/simd.hpp"

namespace maskflow::kernels {
namespace {

// Processes blocks of columns: the results of a block stay in registers while all rows pass, and a
// row of a block is about one cache line. F: (previous result, values of a row) -> result.
template <class F>
void reduce_rows(const float* x, std::size_t rows, std::size_t width, const std::uint8_t* keep,
                 float start, float* out, F&& f) {
  constexpr std::size_t kVectors = 4;
  std::size_t column = 0;
  for (; column + kVectors * kLanes <= width; column += kVectors * kLanes) {
    Vec results[kVectors] = {Vec(start), Vec(start), Vec(start), Vec(start)};
    for (std::size_t row = 0; row < rows; ++row) {
      if (keep != nullptr && keep[row] == 0) continue;
      const float* from = x + row * width + column;
      for (std::size_t v = 0; v < kVectors; ++v) {
        results[v] = f(results[v], Vec::load_unaligned(from + v * kLanes));
      }
    }
    for (std::size_t v = 0; v < kVectors; ++v) {
      results[v].store_unaligned(out + column + v * kLanes);
    }
  }
  const std::size_t n = std::min(kLanes, width);
  for (; column < width; column += kLanes) {
    // The last vector may overlap the one before it and compute some results twice.
    column = std::min(column, width - n);
    Vec result(start);
    for (std::size_t row = 0; row < rows; ++row) {
      if (keep != nullptr && keep[row] == 0) continue;
      const float* from = x + row * width + column;
      result = f(result, n == kLanes ? Vec::load_unaligned(from) : load_partial(from, n));
    }
    store_partial(result, out + column, n);
  }
}

}  // namespace

void sum_rows(const float* x, std::size_t rows, std::size_t width, const std::uint8_t* keep,
              float* out) {
  reduce_rows(x, rows, width, keep, 0, out,
              [](const Vec& sum, const Vec& values) { return sum + values; });
}

void max_rows(const float* x, std::size_t rows, std::size_t width, float* out) {
  constexpr float kLowest = -std::numeric_limits<float>::infinity();
  reduce_rows(x, rows, width, nullptr, kLowest, out, [](const Vec& largest, const Vec& values) {
    return xsimd::select((values > largest) | xsimd::isnan(values), values, largest);
  });
}

}  // namespace maskflow::kernels
