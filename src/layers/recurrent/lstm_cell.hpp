// SPDX-License-Identifier: MIT
#pragma once

#include "layers/recurrent/cell_layer.hpp"

namespace maskflow {

// Hochreiter and Schmidhuber 1997, with Keras's gate order i, f, c, o:
//   i, f, o = recurrent_activation(x K + b + h R)
//   c' = f c + i activation(x K + b + h R);  h' = o activation(c')
// Each of i, f, o and the candidate has columns of its own in K, b and R.
class LstmCell : public CellLayer {
 public:
  static constexpr const char* kClassName = "LSTMCell";
  LstmCell() : CellLayer(4) {}

  void describe_cell(Fields& fields) override;
  [[nodiscard]] std::vector<std::size_t> state_sizes() const override {
    return {output_size(), output_size()};
  }
  const float* step(float* gates, const StepLanes& lanes, std::span<float* const> states) override;

 protected:
  // Describes the settings except the size and the activation.
  void describe_gates(Fields& fields);
  [[nodiscard]] Initializer bias_initializer() const override;
  // Updates the states of `rows` rows from x K + b + h R, which it overwrites.
  void update(float* gates, float* c, float* h, std::size_t rows) const;

 private:
  std::optional<bool> unit_forget_bias_ = true;
};

}  // namespace maskflow
