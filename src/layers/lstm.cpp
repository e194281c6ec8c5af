// SPDX-License-Identifier: MIT
// Hochreiter and Schmidhuber 1997, with Keras's gate order i, f, c, o:
//   i, f, o = recurrent_activation(x K + b + h R);  c' = f c + i activation(...);  h' = o
//   activation(c')
#include <algorithm>

#include "kernels/gates.hpp"
#include "layers/cell_layer.hpp"
#include "layers/recurrent.hpp"

namespace maskflow {
namespace {

class LstmCell final : public CellLayer {
 public:
  static constexpr const char* kClassName = "LSTMCell";
  LstmCell() : CellLayer(4) {}

  void describe_cell(Fields& fields) override {
    describe_units(fields);
    fields.field("recurrent_activation", recurrent_activation_, "Activation of the gates.");
    describe_weights(fields);
    fields.field("unit_forget_bias", unit_forget_bias_,
                 "Start the bias of the forget gate at 1 (Jozefowicz et al. 2015).");
    describe_dropout(fields);
  }

  void build(const std::vector<Shape>& inputs) override {
    CellLayer::build(inputs);
    if (use_bias_ && unit_forget_bias_.value_or(true)) {
      // A constant start, cheap enough to be made at once.
      Tensor bias = bias_initializer_(bias_->shape());
      std::fill_n(bias.mutable_data<float>().begin() + units_, units_, 1.0F);
      bias_->set_value(bias);
    }
  }

  [[nodiscard]] std::vector<std::size_t> state_sizes() const override { return {units(), units()}; }

  const float* step(float* gates, std::size_t lanes, std::span<float* const> states) override {
    float* h = states[0];
    float* c = states[1];
    kernels::gemm({dropped(h, lanes), units()}, lanes, recurrent_kernel_->packed(),
                  kernels::Start::kAccumulate, nullptr, gates);
    if (activation_.name() == "tanh" && recurrent_activation_.name() == "sigmoid") {
      kernels::lstm_update(gates, c, h, lanes, units());
    } else {
      update(gates, c, h, lanes);
    }
    return h;
  }

 private:
  // Any activations.
  void update(float* gates, float* c, float* h, std::size_t lanes) const {
    const std::size_t n = units();
    for (std::size_t lane = 0; lane < lanes; ++lane, gates += 4 * n, c += n, h += n) {
      recurrent_activation_.apply(gates, 2, n);
      activation_.apply(gates + 2 * n, 1, n);
      recurrent_activation_.apply(gates + 3 * n, 1, n);
      for (std::size_t i = 0; i < n; ++i)
        h[i] = c[i] = gates[n + i] * c[i] + gates[i] * gates[2 * n + i];
      activation_.apply(h, 1, n);
      for (std::size_t i = 0; i < n; ++i) h[i] *= gates[3 * n + i];
    }
  }

  std::optional<bool> unit_forget_bias_ = true;
};

using Lstm = RecurrentOf<LstmCell>;

const RegisterLayer<LstmCell> cell_registration{"LSTMCell", "One step of LSTM; states [h, c]."};
const RegisterLayer<Lstm> registration{"LSTM",
                                       "Long short-term memory (Hochreiter and Schmidhuber 1997). "
                                       "Input [batch, time, features], states "
                                       "[h, c]; masked steps are left out."};

}  // namespace
}  // namespace maskflow
