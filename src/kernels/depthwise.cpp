// SPDX-License-Identifier: MIT
#include "kernels/depthwise.hpp"

#include <algorithm>

#include "kernels/flops.hpp"
#include "kernels/simd.hpp"

namespace maskflow::kernels {

void depthwise(const float* x, std::size_t step, const float* w, std::size_t taps,
               const float* bias, float* out, std::size_t n) {
  multiply_adds += static_cast<std::uint64_t>(taps) * n;
  for (std::size_t i = 0; i < n; i += kLanes) {
    const std::size_t left = std::min(kLanes, n - i);
    const auto load = [left](const float* from) {
      return left == kLanes ? Vec::load_unaligned(from) : load_partial(from, left);
    };
    Vec sum = bias == nullptr ? Vec(0.0F) : load(bias + i);
    for (std::size_t k = 0; k < taps; ++k) {
      sum = xsimd::fma(load(x + k * step + i), load(w + k * n + i), sum);
    }
    if (left == kLanes) {
      sum.store_unaligned(out + i);
    } else {
      store_partial(sum, out + i, left);
    }
  }
}

}  // namespace maskflow::kernels
