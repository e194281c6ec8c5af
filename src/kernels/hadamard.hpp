// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace maskflow::kernels {

// An orthogonal transform of n numbers, n a power of two: the fast Walsh-Hadamard transform of
// every 16th or 32nd number, scaled.
void hadamard(float* x, std::size_t n);

}  // namespace maskflow::kernels
