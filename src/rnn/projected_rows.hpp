// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "kernels/floats.hpp"
#include "rnn/cell.hpp"
#include "tensor/buffer.hpp"

namespace maskflow {

// What a cell makes of the rows of an embedding table. A row is projected when it is first met and
// copied from then on: never more products than without, and for a vocabulary of words that come
// again far fewer.
class ProjectedRows {
 public:
  // Is it worth the memory? Tables beyond 16 MB are not kept.
  [[nodiscard]] static bool serves(RnnCell& cell, const Lookup& lookup);
  // Writes the projections, [rows, projected_width], of these rows of the lookup's table to `out`.
  static void project(RnnCell& cell, const Lookup& lookup, std::span<const std::int32_t> rows,
                      float* out);

 private:
  void start(const Lookup& lookup, const Version& cell);
  void project_missing(RnnCell& cell, const Lookup& lookup, std::span<const std::int32_t> rows);

  // Versions of the sources of all that is kept.
  Version table_, cell_;
  std::vector<std::int32_t> places_;  // row of the table -> row of values_, -1: not yet
  std::vector<std::int32_t> missing_;
  std::int32_t count_ = 0;
  kernels::Floats values_;
};

}  // namespace maskflow
