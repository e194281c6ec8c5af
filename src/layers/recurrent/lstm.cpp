// SPDX-License-Identifier: MIT
#include "kernels/gates.hpp"
#include "layers/recurrent/lstm_cell.hpp"
#include "layers/recurrent/recurrent.hpp"

namespace maskflow {

void LstmCell::describe_cell(Fields& fields) {
  describe_units(fields);
  describe_gates(fields);
}

void LstmCell::describe_gates(Fields& fields) {
  fields.field("recurrent_activation", recurrent_activation_, "Activation of the gates.");
  describe_weights(fields);
  fields.field("unit_forget_bias", unit_forget_bias_,
               "Initialize the bias of the forget gate to 1 (Jozefowicz et al. 2015).");
  describe_dropout(fields);
}

Initializer LstmCell::bias_initializer() const {
  return unit_forget_bias_.value_or(true) ? bias_initializer_.with_ones(units_, units_)
                                          : bias_initializer_;
}

const float* LstmCell::step(float* gates, const StepLanes& lanes, std::span<float* const> states) {
  const std::size_t first = lanes.first * units();
  float* h = states[0] + first;
  multiply_state(h, lanes, kernels::Start::kAccumulate, nullptr, gates);
  update(gates, states[1] + first, h, lanes.count);
  return states[0];
}

void LstmCell::update(float* gates, float* c, float* h, std::size_t rows) const {
  const std::size_t n = units();
  if (has_usual_gates()) {
    kernels::lstm_update(gates, c, h, rows, n);
    return;
  }
  for (const std::size_t gate : {0U, 1U, 3U}) {
    recurrent_activation_.apply(gates + gate * n, rows, n, 4 * n);
  }
  activation_.apply(gates + 2 * n, rows, n, 4 * n);
  for (std::size_t row = 0; row < rows; ++row) {
    const float* const gate = gates + row * 4 * n;
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t k = row * n + i;
      h[k] = c[k] = gate[n + i] * c[k] + gate[i] * gate[2 * n + i];
    }
  }
  activation_.apply(h, rows, n);
  for (std::size_t row = 0; row < rows; ++row) {
    const float* const output = gates + row * 4 * n + 3 * n;
    for (std::size_t i = 0; i < n; ++i) h[row * n + i] *= output[i];
  }
}

namespace {

using Lstm = RecurrentOf<LstmCell>;

const RegisterLayer<LstmCell> cell_registration{
    "LSTMCell", "One step of LSTM; states [h, c].", {.in_recurrent_module = true, .in_tfjs = true}};
const RegisterLayer<Lstm> registration{
    "LSTM",
    "Long short-term memory (Hochreiter and Schmidhuber 1997). Input [batch, time, features], "
    "states [h, c]; masked steps are skipped.",
    {.in_recurrent_module = true, .in_tfjs = true}};

}  // namespace
}  // namespace maskflow
