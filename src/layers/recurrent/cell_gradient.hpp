// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "layers/recurrent/cell_layer.hpp"
#include "rnn/run_cell_gradient.hpp"

namespace maskflow {

// Keras's cells with tanh and sigmoid step by fused code; null for others.
[[nodiscard]] std::unique_ptr<CellGradient> fused_gradient(Layer& cell);
[[nodiscard]] std::unique_ptr<CellGradient> lstm_gradient(CellLayer& cell);
[[nodiscard]] std::unique_ptr<CellGradient> gru_gradient(CellLayer& cell);
[[nodiscard]] std::unique_ptr<CellGradient> simple_rnn_gradient(CellLayer& cell);

// What the three share: weights, and products with the recurrent kernel, both ways.
class FusedCell : public CellGradient {
 public:
  explicit FusedCell(CellLayer& cell) : cell_(cell), n_(cell.units()) {}
  [[nodiscard]] Tensors weights() const override;

 protected:
  // Columns of the recurrent kernel from `first` on.
  struct Columns {
    std::size_t first, count;
  };
  // The transposed recurrent kernel, for the products of the way back.
  [[nodiscard]] kernels::PackedMatrix transposed(const Columns& columns) const;
  // dh += g R^T, through the random mask of the state.
  void add_product(const kernels::Rows& g, std::size_t lanes, const kernels::PackedMatrix& matrix,
                   float* dh);
  // The states before each step as the recurrent product saw them, for the kernel's gradient.
  void add_recurrent(const RunHistory& history, const kernels::Rows& g, const Columns& columns,
                     float* to) const;
  [[nodiscard]] const float* seen(const StepRows& step) {
    return cell_.dropped(step.h_before, step.lanes);
  }
  void keep_mask() { mask_ = cell_.recurrent_mask(); }
  [[nodiscard]] std::size_t width() const { return cell_.projected_width(); }

  CellLayer& cell_;
  std::size_t n_;
  kernels::Floats mask_;
  kernels::Floats product_;
};

// One step of any cell in recorded ops: its output and its states. `x` [lanes, features].
[[nodiscard]] Tensors composed_step(Layer& cell, const Tensor& x, const Tensors& states,
                                    Frame& frame, Tape& tape);
[[nodiscard]] Tensors conv_lstm_step(Layer& cell, const Tensor& x, const Tensors& states,
                                     Tape& tape);

}  // namespace maskflow
