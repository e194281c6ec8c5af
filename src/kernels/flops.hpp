// SPDX-License-Identifier: MIT
// How much has been multiplied: one addition a product, so that a profile can say it.
#pragma once

#include <cstdint>

namespace maskflow::kernels {

// Of the products of this thread so far; a profile takes differences.
inline thread_local constinit std::uint64_t multiply_adds = 0;

// Two for each multiply-add.
[[nodiscard]] inline double flops() { return 2.0 * static_cast<double>(multiply_adds); }

}  // namespace maskflow::kernels
