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

// Returns the ranges of so many threads, which end at about the same time: tiles of four lanes, of
// which a thread takes several, if the weights stay in a core's cache (`multiply_adds` for each
// kept step say so) and ranges of equal work, one for each thread, do not end earlier; else these.
[[nodiscard]] std::vector<LaneRange> divide_lanes(const SequencePlan& plan,
                                                  kernels::Work multiply_adds, std::size_t members);

// Divides the lanes among the threads that there are. Returns a single range of all lanes if the
// work does not pay for more.
[[nodiscard]] std::vector<LaneRange> lane_ranges(const SequencePlan& plan,
                                                 kernels::Work multiply_adds);

}  // namespace maskflow
