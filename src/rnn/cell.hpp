// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/version.hpp"
#include "kernels/gemm.hpp"

namespace maskflow {

class Frame;
class ProjectedRows;

// Projections that a cell keeps from call to call, if it does, and the version of what project()
// uses now.
struct KeptProjections {
  ProjectedRows* rows = nullptr;
  Version version;
};

// What run_cell() needs of a recurrent cell. Lanes are rows of the batch in the plan's order; the
// first `lanes` rows of every buffer are alive at a step, the others must not be touched.
class RnnCell {
 public:
  virtual ~RnnCell() = default;
  [[nodiscard]] virtual std::vector<std::size_t> state_sizes() const = 0;
  [[nodiscard]] virtual std::size_t output_size() const = 0;
  // Floats per step that project() writes.
  [[nodiscard]] virtual std::size_t projected_width() const = 0;
  // What depends on the input alone, for `count` kept steps at once.
  virtual void project(const kernels::Rows& inputs, std::size_t count, float* projected) = 0;
  [[nodiscard]] virtual KeptProjections kept_projections() { return {}; }
  // One step in place: `projected` may be overwritten; states[i] is [lanes, state_sizes()[i]].
  // Returns the output rows, which stay valid and keep the rows of lanes that have ended.
  virtual const float* step(float* projected, std::size_t lanes,
                            std::span<float* const> states) = 0;
  // Called before the first step of a sequence with the number of lanes: room for temporaries, and
  // the random masks of a training call. The frame lasts as long as the steps.
  virtual void begin(std::size_t lanes, Frame& frame) = 0;
  // Share of the input features that a training call sets to zero.
  [[nodiscard]] virtual double input_dropout() const { return 0; }
};

}  // namespace maskflow
