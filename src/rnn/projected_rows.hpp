// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "kernels/floats.hpp"
#include "rnn/cell.hpp"
#include "tensor/buffer.hpp"

namespace maskflow {

// Projections that a cell has computed from the rows of an embedding table. Each row is projected
// when it first occurs and copied afterwards. A call thus never computes more products than without
// this, and far fewer if the words of a vocabulary recur.
class ProjectedRows {
 public:
  // Returns whether the cell keeps projections and those of the whole table take at most 16 MB.
  [[nodiscard]] static bool serves(RnnCell& cell, const Lookup& lookup);
  // Writes the projections, [rows, projected_width], of these rows of the lookup's table to `out`.
  static void project(RnnCell& cell, const Lookup& lookup, std::span<const std::int32_t> rows,
                      float* out) {
    prepare(cell, lookup, rows).copy(rows, cell.projected_width(), out);
  }
  // Computes those projections that are missing. Returns the projections of the cell.
  static const ProjectedRows& prepare(RnnCell& cell, const Lookup& lookup,
                                      std::span<const std::int32_t> rows);
  // Copies projections, which are prepared, without allocating.
  void copy(std::span<const std::int32_t> rows, std::size_t width, float* out) const;

 private:
  // Forgets all projections if the table or the weights of the cell have changed.
  void update(const Lookup& lookup, const Version& cell);
  void project_missing(RnnCell& cell, const Lookup& lookup, std::span<const std::int32_t> rows);

  // Versions of the table and of the weights that all projections were computed from.
  Version table_, cell_;
  std::vector<std::int32_t> places_;  // Maps each row of the table to its row of values_, or to -1.
  std::vector<std::int32_t> missing_;
  std::int32_t count_ = 0;
  kernels::Floats values_;
};

}  // namespace maskflow
