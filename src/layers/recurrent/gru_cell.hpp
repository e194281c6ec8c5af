// SPDX-License-Identifier: MIT
#pragma once

#include "layers/recurrent/cell_layer.hpp"

namespace maskflow {

// Cho et al. 2014, with Keras's gate order z, r, h:
//   z, r = recurrent_activation(x K + b + h R);  h' = z h + (1 - z) candidate
//   reset_after: candidate = activation(x K_h + b_h + r (h R_h + b'_h)), bias [2, 3 units]
//   otherwise:   candidate = activation(x K_h + b_h + (r h) R_h)
class GruCell final : public CellLayer {
 public:
  static constexpr const char* kClassName = "GRUCell";
  GruCell() : CellLayer(3) {}

  void describe_cell(Fields& fields) override;
  void build(const std::vector<Shape>& inputs) override;
  void begin(std::size_t lanes, Frame& frame) override;
  const float* step(float* x, const StepLanes& lanes, std::span<float* const> states) override;
  [[nodiscard]] bool reset_after() const { return reset_after_; }

 protected:
  [[nodiscard]] Shape bias_shape() const override;

 private:
  // Applies the recurrent activation to the columns of z and r.
  void activate_gates(float* gates, std::size_t count) const;
  void step_reset_after(float* x, const StepLanes& lanes, float* h);
  void step_reset_before(float* x, const StepLanes& lanes, float* h);

  bool reset_after_ = true;
  kernels::Floats inner_, reset_, candidate_;
};

}  // namespace maskflow
