// SPDX-License-Identifier: MIT
// Counts multiply-adds for profiles, at the cost of one addition per matrix product.
#pragma once

#include <cstdint>

namespace maskflow::kernels {

// Multiply-adds of all products of this thread so far. A profile takes differences.
inline thread_local constinit std::uint64_t multiply_adds = 0;

// Floating-point operations: two for each multiply-add.
[[nodiscard]] inline double flops() { return 2.0 * static_cast<double>(multiply_adds); }

}  // namespace maskflow::kernels
