// SPDX-License-Identifier: MIT
#include "kernels/flops.hpp"

namespace maskflow::kernels {

thread_local constinit std::uint64_t multiply_adds = 0;

double flops() { return 2.0 * static_cast<double>(multiply_adds); }

}  // namespace maskflow::kernels
