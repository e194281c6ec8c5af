// SPDX-License-Identifier: MIT
#include "kernels/scan.hpp"

#include <algorithm>

#include "kernels/simd.hpp"

namespace maskflow::kernels {

bool all_zero(const float* x, std::size_t n) {
  const std::size_t whole = n - n % kLanes;
  for (std::size_t i = 0; i < whole; i += kLanes) {
    if (xsimd::any(Vec::load_unaligned(x + i) != Vec(0.0F))) return false;
  }
  return std::all_of(x + whole, x + n, [](float value) { return value == 0; });
}

bool all_finite(const float* x, std::size_t n) {
  // 0 * x is 0, except for NaN and infinities, for which it is NaN. A NaN stays in the sum.
  Vec sum(0.0F);
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) sum = sum + Vec::load_unaligned(x + i) * Vec(0.0F);
  if (i < n) sum = sum + load_partial(x + i, n - i) * Vec(0.0F);
  return xsimd::reduce_add(sum) == 0.0F;
}

}  // namespace maskflow::kernels
