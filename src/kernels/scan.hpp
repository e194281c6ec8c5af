// SPDX-License-Identifier: MIT
// Tests of all numbers of an array.
#pragma once

#include <cstddef>

namespace maskflow::kernels {

// Whether all are 0; returns early if not.
[[nodiscard]] bool all_zero(const float* x, std::size_t n);
// Whether none is NaN or infinite.
[[nodiscard]] bool all_finite(const float* x, std::size_t n);

}  // namespace maskflow::kernels
