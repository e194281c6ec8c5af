// SPDX-License-Identifier: MIT
#include "kernels/hadamard.hpp"

#include <bit>

#include "kernels/simd.hpp"

namespace maskflow::kernels {

// Each stage makes the numbers sqrt(2) times as long; after an even number of them a product with a
// power of two, which rounds nothing, makes up for that.
void hadamard(float* x, std::size_t n) {
  static_assert(kLanes <= 16);
  float scale = 1;
  for (std::size_t half = std::countr_zero(n) % 2 == 0 ? 16 : 32; half < n; half *= 2) {
    for (std::size_t i = 0; i < n; i += kLanes) {
      if ((i & half) != 0) i += half;
      if (i >= n) break;
      const Vec one = Vec::load_unaligned(x + i) * scale;
      const Vec other = Vec::load_unaligned(x + i + half) * scale;
      (one + other).store_unaligned(x + i);
      (one - other).store_unaligned(x + i + half);
    }
    scale = 1.5F - scale;
  }
}

}  // namespace maskflow::kernels
