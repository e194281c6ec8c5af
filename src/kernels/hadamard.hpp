// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace maskflow::kernels {

// Applies an orthogonal transform to n numbers, where n is a power of two: the scaled fast
// Walsh-Hadamard transform of every 16th or 32nd number.
void hadamard(float* x, std::size_t n);

}  // namespace maskflow::kernels
