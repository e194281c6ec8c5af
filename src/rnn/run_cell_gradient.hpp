// SPDX-License-Identifier: MIT
// run_cell() on a tape: runs a cell that records its steps, and the steps backwards. Masked steps
// cost nothing in either pass.
#pragma once

#include <memory>

#include "kernels/gemm_gradient.hpp"
#include "ops/tape.hpp"
#include "rnn/run_cell.hpp"

namespace maskflow {

// The rows of one step, one per lane of a part that is alive. "Before" is the previous step of
// these lanes, or the initial states.
struct StepRows {
  StepLanes lanes;
  // Rows [lanes, projected_width]: first the projections, then the numbers that forward() writes.
  float* gates;
  // Rows [lanes, extra_width]: the second state, or other numbers for the backward pass.
  float* extra;
  float* h;
  const float* h_before;
  const float* extra_before;  // The previous second state, for cells that have one.
};

// The results of all steps by packed row, and the initial states by lane.
struct RunHistory {
  std::size_t units = 0, gate_width = 0, extra_width = 0, rows = 0, first_lanes = 0;
  bool starts_from_zeros = true;
  kernels::Floats gates, extra, h, h_start, c_start;
  // For each packed row after the first step, the packed row of its lane one step before.
  std::vector<std::int32_t> before;

  // Returns the rows of these lanes.
  [[nodiscard]] StepRows step(const StepLanes& lanes);
  // Adds h_before^T g to to[units, n], whose rows are `stride` apart. Row r of g belongs to packed
  // row r.
  void add_recurrent(const kernels::Rows& g, std::size_t n, float* to, std::size_t stride) const;
};

// Fused code for the steps of one kind of cell, forward and backward. An object serves one run.
class CellGradient {
 public:
  CellGradient() = default;
  virtual ~CellGradient() = default;
  CellGradient(const CellGradient&) = delete;
  CellGradient& operator=(const CellGradient&) = delete;

  // Returns the number of floats per row that forward() writes to `extra`.
  [[nodiscard]] virtual std::size_t extra_width() const = 0;
  // Called before the first step, with the number of all lanes. Allocates temporaries: the steps of
  // different lanes run at the same time.
  virtual void begin(std::size_t lanes) = 0;
  virtual void forward(const StepRows& step) = 0;
  // Called before the first step of the backward pass.
  virtual void begin_backward() = 0;
  // Replaces the gates by the cotangents of the projections, and dh, the cotangent of h, by that of
  // the previous h. Does the same with dc for a second state, and adds its cotangent through h.
  virtual void backward(const StepRows& step, float* dh, float* dc) = 0;
  // Returns kernel, recurrent kernel and bias, as the tape knows them.
  [[nodiscard]] virtual Tensors weights() const = 0;
  // Adds the gradients of recurrent kernel and bias (null without one) to arrays of their shapes.
  virtual void add_weights(const RunHistory& history, float* recurrent, float* bias) const = 0;
};

// Computes run_cell() and records it on the tape.
RunResult run_recorded(Tape& tape, RnnCell& cell, std::unique_ptr<CellGradient> gradient,
                       const Tensor& x, const SequencePlan& plan, const Tensors& initial,
                       const RunOptions& options, Frame& frame);

}  // namespace maskflow
