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

// Divides the lanes among `members` threads, so that all of them end at about the same time, and on
// equal cores never later than with fewer threads. Either each thread has one range of equal work,
// or the ranges are whole tiles of four lanes, of which a thread runs several. Tiles are for
// weights that fit in a core's cache, as `multiply_adds` for each kept step shows, and only if they
// do not end much later.
[[nodiscard]] std::vector<LaneRange> divide_lanes(const SequencePlan& plan,
                                                  kernels::Work multiply_adds, std::size_t members,
                                                  std::size_t runs = 1);

// Whether threads share a run of this plan: whether lane_ranges() of a single run returns several.
[[nodiscard]] bool shares_lanes(const SequencePlan& plan, kernels::Work multiply_adds);

// Divides the lanes among the threads that there are. Returns a single range of all lanes if the
// work does not pay for more.
[[nodiscard]] std::vector<LaneRange> lane_ranges(const SequencePlan& plan,
                                                 kernels::Work multiply_adds, std::size_t runs = 1);

}  // namespace maskflow
