// SPDX-License-Identifier: MIT
// Divides the lanes of a plan among threads. Lanes do not depend on each other, so each thread runs
// all steps of its lanes, and the threads meet only at the end.
#pragma once

#include <algorithm>
#include <vector>

#include "kernels/team.hpp"
#include "tensor/plan.hpp"

namespace maskflow {

// Adjacent lanes.
struct LaneRange {
  std::size_t first = 0;
  std::size_t end = 0;

  // Returns how many of these lanes are among the first `lanes`.
  [[nodiscard]] std::size_t alive(std::size_t lanes) const {
    return std::clamp(lanes, first, end) - first;
  }
};

// Returns ranges with about the same work, one for each thread, or a single range of all lanes if
// the work does not pay for more: `multiply_adds` for each kept step.
[[nodiscard]] std::vector<LaneRange> lane_ranges(const SequencePlan& plan,
                                                 kernels::Work multiply_adds);

}  // namespace maskflow
