// SPDX-License-Identifier: MIT
// Counts multiply-adds for profiles, at the cost of one addition per matrix product.
#pragma once

#include <cstdint>

namespace maskflow::kernels {

// Multiply-adds of all products of this thread so far. A profile takes differences. Only kernels
// use it: in the variant `threads`, other objects are compiled without threads.
extern thread_local constinit std::uint64_t multiply_adds;

// Floating-point operations: two for each multiply-add.
[[nodiscard]] double flops();

}  // namespace maskflow::kernels
