// SPDX-License-Identifier: MIT
#include "kernels/hadamard.hpp"

#include <bit>

#include "kernels/simd.hpp"

namespace maskflow::kernels {

// Each stage multiplies the norm by sqrt(2). The number of stages is even, so multiplying by powers
// of two, which does not round, restores it.
void hadamard(float* x, std::size_t n) {
  static_assert(kLanes <= 16);
  float scale = 1;
  for (std::size_t half = std::countr_zero(n) % 2 == 0 ? 16 : 32; half < n; half *= 2) {
    for (std::size_t i = 0; i < n; i += kLanes) {
      if ((i & half) != 0) i += half;
      if (i >= n) break;
      const Vec a = Vec::load_unaligned(x + i) * scale;
      const Vec b = Vec::load_unaligned(x + i + half) * scale;
      (a + b).store_unaligned(x + i);
      (a - b).store_unaligned(x + i + half);
    }
    scale = 1.5F - scale;
  }
}

}  // namespace maskflow::kernels
