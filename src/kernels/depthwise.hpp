// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace maskflow::kernels {

// One step of a convolution that does not mix channels:
// out[i] = bias[i] + sum over k of x[k * step + i] w[k * n + i]; a null `bias` is zero.
void depthwise(const float* x, std::size_t step, const float* w, std::size_t taps,
               const float* bias, float* out, std::size_t n);

}  // namespace maskflow::kernels
