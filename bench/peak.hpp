// SPDX-License-Identifier: MIT
#pragma once

namespace maskflow::bench {

// What this machine can do with vectors of this build, in GFLOP/s of one thread: independent chains
// of multiply-adds in registers, two operations each. The best of several short runs, measured
// again at every call, since clock rates drift.
[[nodiscard]] double multiply_add_peak();

}  // namespace maskflow::bench
