// SPDX-License-Identifier: MIT
// What holds for all numbers of an array.
#pragma once

#include <cstddef>

namespace maskflow::kernels {

// Stops soon where there is another.
[[nodiscard]] bool all_zero(const float* x, std::size_t n);
// Neither NaN nor infinite.
[[nodiscard]] bool all_finite(const float* x, std::size_t n);

}  // namespace maskflow::kernels
