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

// Projections of embedding rows that a cell reuses from call to call (null: it reuses none), and
// the version of the weights that project() uses now.
struct KeptProjections {
  ProjectedRows* rows = nullptr;
  Version version;
};

// The computation of one timestep, split in two: project() computes the part that depends on the
// inputs alone, for many steps at once; step() adds the part that depends on the states. Lanes are
// rows of the batch in the plan's order. At each step the first `lanes` of them are alive; step()
// must not change the rows of the others.
class RnnCell {
 public:
  virtual ~RnnCell() = default;
  [[nodiscard]] virtual std::vector<std::size_t> state_sizes() const = 0;
  [[nodiscard]] virtual std::size_t output_size() const = 0;
  // Returns the number of floats per step that project() writes.
  [[nodiscard]] virtual std::size_t projected_width() const = 0;
  // Writes the projections of `count` kept steps, [count, projected_width].
  virtual void project(const kernels::Rows& inputs, std::size_t count, float* projected) = 0;
  [[nodiscard]] virtual KeptProjections kept_projections() { return {}; }
  // Computes one step in place. `projected` is [lanes, projected_width] and may be overwritten;
  // states[i] is [lanes, state_sizes()[i]]. Returns the outputs, [lanes, output_size], in memory
  // that keeps the last outputs of lanes that have ended.
  virtual const float* step(float* projected, std::size_t lanes,
                            std::span<float* const> states) = 0;
  // Called before the first step of a sequence, with the number of all lanes. Allocates temporaries
  // and draws the dropout masks of a training call. The frame must outlive the steps.
  virtual void begin(std::size_t lanes, Frame& frame) = 0;
  // Returns the share of the input features that a training call sets to zero.
  [[nodiscard]] virtual double input_dropout() const { return 0; }
};

}  // namespace maskflow
