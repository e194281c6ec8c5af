// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "layers/recurrent/cell_layer.hpp"
#include "rnn/run_cell_gradient.hpp"

namespace maskflow {

// Returns the fused steps of one of Keras's cells with tanh and sigmoid; null for other cells.
[[nodiscard]] std::unique_ptr<CellGradient> fused_gradient(Layer& cell);
[[nodiscard]] std::unique_ptr<CellGradient> lstm_gradient(CellLayer& cell);
[[nodiscard]] std::unique_ptr<CellGradient> gru_gradient(CellLayer& cell);
[[nodiscard]] std::unique_ptr<CellGradient> simple_rnn_gradient(CellLayer& cell);

// The base of the fused steps: weights, and products with the recurrent kernel in both passes.
class FusedCell : public CellGradient {
 public:
  explicit FusedCell(CellLayer& cell) : cell_(cell), n_(cell.units()) {}
  [[nodiscard]] Tensors weights() const override;
  void begin(std::size_t lanes) override;
  void begin_backward() override { product_.resize(mask_.size()); }

 protected:
  // A range of columns of the recurrent kernel.
  struct Columns {
    std::size_t first, count;
  };
  // Returns columns of the recurrent kernel, transposed for the products of the backward pass.
  [[nodiscard]] kernels::PackedMatrix transposed(const Columns& columns) const;
  // dh += (g R^T) times the random mask of the state.
  void add_product(const kernels::Rows& g, const StepLanes& lanes,
                   const kernels::PackedMatrix& matrix, float* dh);
  // Adds the gradient of these columns of the recurrent kernel, from g and the states before each
  // step times their random mask.
  void add_recurrent(const RunHistory& history, const kernels::Rows& g, const Columns& columns,
                     float* to) const;
  // Returns the state before this step as the recurrent product reads it.
  [[nodiscard]] const float* state_before(const StepRows& step);
  [[nodiscard]] std::size_t width() const { return cell_.projected_width(); }

  CellLayer& cell_;
  std::size_t n_;
  // The random mask of the state, by lane; empty without dropout.
  kernels::Floats mask_;
  kernels::Floats dropped_, product_;
};

// Computes one step of any cell in recorded ops: x [lanes, features] to [output, state, ...].
[[nodiscard]] Tensors composed_step(Layer& cell, const Tensor& x, const Tensors& states,
                                    Frame& frame, Tape& tape);
[[nodiscard]] Tensors conv_lstm_step(Layer& cell, const Tensor& x, const Tensors& states,
                                     Tape& tape);

}  // namespace maskflow
