// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/version.hpp"
#include "kernels/gemm.hpp"
#include "tensor/tensor.hpp"

namespace maskflow {

class CellRun;
class Frame;
class ProjectedRows;

// Projections of embedding rows that a cell reuses from call to call (null: it reuses none), and
// the version of the weights that project() uses now.
struct KeptProjections {
  ProjectedRows* rows = nullptr;
  Version version;
};

// Returns the shape of `rows` rows of this shape.
[[nodiscard]] Shape with_rows(Shape shape, Dim rows);

// The lanes that one call of step() computes.
struct StepLanes {
  std::size_t count;      // lanes that are alive
  std::size_t first = 0;  // first of them among all lanes
  // For cells that record their steps: the packed row of the first lane, and the number of lanes of
  // the previous step, which is 0 at the first step.
  std::size_t row = 0;
  std::size_t before = 0;
};

// The computation of one timestep, split in two: project() computes the part that depends on the
// inputs alone, for many steps at once; step() adds the part that depends on the states. Lanes are
// rows of the batch in the plan's order. At each step the first ones are alive; step() must not
// change the rows of the others.
class RnnCell {
 public:
  virtual ~RnnCell() = default;
  [[nodiscard]] virtual std::string cell_name() const = 0;
  // Returns the cells whose steps are parts of the steps of this one.
  [[nodiscard]] virtual std::vector<RnnCell*> inner_cells() { return {}; }
  [[nodiscard]] virtual std::vector<std::size_t> state_sizes() const = 0;
  [[nodiscard]] virtual std::size_t output_size() const = 0;
  // Returns the shape of each state of one row of the batch, with state_sizes() elements, and that
  // of its output. Layers outside see these shapes; runs of a cell see flat rows.
  [[nodiscard]] virtual std::vector<Shape> state_shapes() const;
  [[nodiscard]] virtual Shape output_shape() const { return {static_cast<Dim>(output_size())}; }
  // Returns the states in which a sequence begins, [batch, size]; an empty list stands for zeros.
  [[nodiscard]] virtual Tensors initial_states(Dim /*batch*/, Frame& /*frame*/) { return {}; }
  // Returns the size of the inputs that the cell was built for.
  [[nodiscard]] virtual std::size_t features() const = 0;
  // Returns the number of floats per step that project() writes.
  [[nodiscard]] virtual std::size_t projected_width() const = 0;
  // Writes the projections of `count` kept steps, [count, projected_width].
  virtual void project(const kernels::Rows& inputs, std::size_t count, float* projected) = 0;
  [[nodiscard]] virtual KeptProjections kept_projections() { return {}; }
  // Computes one step in place. `projected` is [lanes.count, projected_width] and may be
  // overwritten; states[i] is [all lanes, state_sizes()[i]]. Returns the outputs, [all lanes,
  // output_size], in memory that keeps the last outputs of lanes that have ended.
  virtual const float* step(float* projected, const StepLanes& lanes,
                            std::span<float* const> states) = 0;
  // Whether parts of the lanes may run all steps but the first one at the same time, each on a
  // thread of its own: project() and step() then neither allocate nor throw nor write what other
  // lanes use, and step() returns the same address each time.
  [[nodiscard]] virtual bool runs_in_parts() const { return false; }
  // Projects all kept steps of a run in parts into memory of the cell, whose steps then receive
  // null. Returns false if the cell has no such memory.
  virtual bool project_all(const kernels::Rows& /*inputs*/) { return false; }
  // Builds the layers inside a cell of user code, when a graph is made.
  virtual void build_inside() {}
  // Computes one step by calling the layer of the cell, whose ops a tape can record: inputs [lanes,
  // features] and flat states to [output, state, ...], flat. Only cells of user code have it.
  virtual Tensors layer_step(const Tensor& x, const Tensors& states, Frame& frame);
  // Called before the first step of a sequence, by a CellRun that lives until the last one, with
  // the number of all lanes. Allocates temporaries and draws the dropout masks of a training call.
  // The frame outlives the steps of cells that do not run in parts.
  virtual void begin(std::size_t lanes, Frame& frame) = 0;
  // Returns the share of the input features that a training call sets to zero.
  [[nodiscard]] virtual double input_dropout() const { return 0; }

 private:
  friend CellRun;
  bool runs_ = false;
};

}  // namespace maskflow
