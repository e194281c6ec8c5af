// SPDX-License-Identifier: MIT
#pragma once

namespace maskflow::bench {

// Peak of this machine with vectors of this build, in GFLOP/s of one thread: independent chains of
// multiply-adds in registers, counted as two operations each. Returns the best of several short
// runs, and measures again at every call, because clock rates drift.
[[nodiscard]] double multiply_add_peak();

}  // namespace maskflow::bench
