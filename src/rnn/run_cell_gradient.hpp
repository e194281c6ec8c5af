// SPDX-License-Identifier: MIT
// run_cell() for differentiation: the same loop along the same plan, which keeps what each step
// made, and the loop backwards. Masked steps cost nothing either way.
#pragma once

#include <memory>

#include "kernels/gemm_gradient.hpp"
#include "ops/tape.hpp"
#include "rnn/run_cell.hpp"

namespace maskflow {

// One step's rows, of the lanes that are alive; "before" is the step that these lanes had before,
// or the initial states.
struct StepRows {
  std::size_t lanes;
  float* gates;  // [lanes, projected_width]; from project(), and kept for the way back
  float* kept;   // [lanes, kept_width]; a second state, or what else the way back needs
  float* h;
  const float* h_before;
  const float* kept_before;  // of cells with a second state
};

// What all steps made, by packed row, and the initial states by lane.
struct RunHistory {
  std::size_t units = 0, gate_width = 0, rows = 0, first_lanes = 0;
  bool starts_from_zeros = true;
  kernels::Floats gates, kept, h, h_start, c_start;
  std::vector<std::int32_t> before;  // of rows behind the first step: the row of the step before

  // to[units, n] (rows `stride` apart) += h_before^T g, where row r of g belongs to packed row r.
  void add_recurrent(const kernels::Rows& g, std::size_t n, float* to, std::size_t stride) const;
};

// How a cell with fused code steps forward and back. Made for one run.
class CellGradient {
 public:
  CellGradient() = default;
  virtual ~CellGradient() = default;
  CellGradient(const CellGradient&) = delete;
  CellGradient& operator=(const CellGradient&) = delete;

  [[nodiscard]] virtual std::size_t kept_width() const = 0;
  virtual void forward(const StepRows& step) = 0;
  // Before the first step back.
  virtual void begin_back() = 0;
  // The gates become the cotangents of what project() gave. dh is that of h, and becomes that of
  // the state before; dc likewise for a second state, beside what comes through h.
  virtual void backward(const StepRows& step, float* dh, float* dc) = 0;
  // Kernel, recurrent kernel and bias, as the tape knows them.
  [[nodiscard]] virtual Tensors weights() const = 0;
  // Adds to the gradients of recurrent kernel and bias (null: none), of their shapes.
  virtual void add_weights(const RunHistory& history, float* recurrent, float* bias) const = 0;
};

// run_cell(), recorded on the tape.
RunResult run_recorded(Tape& tape, RnnCell& cell, std::unique_ptr<CellGradient> gradient,
                       const Tensor& x, const SequencePlan& plan, const Tensors& initial,
                       const RunOptions& options, Frame& frame);

}  // namespace maskflow
