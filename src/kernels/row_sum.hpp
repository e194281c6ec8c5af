// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "kernels/simd.hpp"

namespace maskflow::kernels {

// Sums n numbers, in the same order wherever rows are summed. `vector(i)` returns kLanes of them
// from i on, `number(i)` a single one. Four accumulators are faster and more accurate than one
// chain.
template <class Vectors, class Numbers>
float row_sum(std::size_t n, Vectors&& vector, Numbers&& number) {
  Vec sums[4] = {Vec(0.0F), Vec(0.0F), Vec(0.0F), Vec(0.0F)};
  std::size_t i = 0;
  for (; i + 4 * kLanes <= n; i += 4 * kLanes) {
    for (std::size_t k = 0; k < 4; ++k) sums[k] += vector(i + k * kLanes);
  }
  float rest = 0;
  for (; i < n; ++i) rest += number(i);
  return xsimd::reduce_add((sums[0] + sums[1]) + (sums[2] + sums[3])) + rest;
}

inline float row_sum(const float* x, std::size_t n) {
  return row_sum(
      n, [&](std::size_t i) { return Vec::load_unaligned(x + i); },
      [&](std::size_t i) { return x[i]; });
}

}  // namespace maskflow::kernels
