// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/index.hpp"

namespace maskflow {

// A mask compiled for recurrent layers: masked steps are removed instead of computed and discarded.
// Kept steps are numbered per row. Rows of the batch become lanes, ordered longest first, so that
// only the first lanes[k] are alive at packed step k. A position is a place in processing order:
// time t, or time - 1 - t if the plan runs backwards.
//
//   time       0 1 2 3        order  = {1, 0}          row 1 has more kept steps
//   row 0      x . . .        lanes  = {2, 1, 1}
//   row 1      x . x x        packed = (1,0) (0,0) | (1,2) | (1,3)
struct SequencePlan {
  std::int32_t batch = 0;
  std::int32_t time = 0;
  bool backwards = false;
  bool dense = false;               // Whether every step of every row is kept.
  std::vector<std::int32_t> order;  // Maps each lane to its batch row.
  // Number of lanes that are alive at each packed step; it never increases.
  std::vector<std::int32_t> lanes;
  // Maps each packed row to batch row * time + time index of the input.
  std::vector<std::int32_t> source;
  // Maps each packed row to batch row * time + position of the output.
  std::vector<std::int32_t> position;
  // Maps each output position (batch row * time + position) to the packed row that it shows: that
  // of the position if it is kept, else that of the last kept position before it; -1 if there is
  // none.
  std::vector<std::int32_t> target;

  [[nodiscard]] std::int32_t steps() const { return static_cast<std::int32_t>(lanes.size()); }
  [[nodiscard]] std::int32_t rows() const { return static_cast<std::int32_t>(source.size()); }
  // Returns whether the step at this output position is kept.
  [[nodiscard]] bool keeps(std::size_t output) const {
    return target[output] >= 0 && at(position[at(target[output])]) == output;
  }
  // Returns the packed row whose result this output position shows, or -1 for zeros. A masked step
  // shows its target, or zeros if `zero_masked`.
  [[nodiscard]] std::int32_t shown_row(std::size_t output, bool zero_masked) const {
    return zero_masked && !keeps(output) ? -1 : target[output];
  }

  // Compiles a mask of batch * time bytes, in which a non-zero byte marks a kept step.
  static std::shared_ptr<const SequencePlan> from_mask(std::span<const std::uint8_t> keep,
                                                       std::int32_t batch, std::int32_t time,
                                                       bool backwards);
  static std::shared_ptr<const SequencePlan> all_kept(std::int32_t batch, std::int32_t time,
                                                      bool backwards);
};

}  // namespace maskflow
