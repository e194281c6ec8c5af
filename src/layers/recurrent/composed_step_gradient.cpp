// SPDX-License-Identifier: MIT
// Steps of cells in recorded ops: cells with other activations than tanh and sigmoid, stacked
// cells, and custom cells.
#include <array>

#include "layers/recurrent/cell_gradient.hpp"
#include "layers/recurrent/gru_cell.hpp"
#include "ops/activation_gradient.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

using ops::add;
using ops::multiply;

// One step of one of Keras's cells.
class Step {
 public:
  Step(CellLayer& cell, Tape& tape, Tensor x) : cell_(cell), tape_(tape), x_(std::move(x)) {}

  Tensors simple_rnn(const Tensors& states) {
    const Tensor h = act(add(sums(), product(states[0], 0, 1)));
    return {h, h};
  }

  Tensors lstm(const Tensors& states) {
    const Tensor all = add(sums(), product(states[0], 0, 4));
    const Tensor input = gate(part(all, 0, 1));
    const Tensor forget = gate(part(all, 1, 1));
    const Tensor output = gate(part(all, 3, 1));
    const Tensor c = add(multiply(forget, states[1]), multiply(input, act(part(all, 2, 1))));
    const Tensor h = multiply(output, act(c));
    return {h, h, c};
  }

  Tensors gru(const Tensors& states, bool reset_after) {
    const Tensor& h = states[0];
    const Tensor x = sums();
    const Tensor inner = product(h, 0, reset_after ? 3 : 2, reset_after);
    const Tensor z = gate(add(part(x, 0, 1), part(inner, 0, 1)));
    const Tensor r = gate(add(part(x, 1, 1), part(inner, 1, 1)));
    const Tensor reset = reset_after ? multiply(r, part(inner, 2, 1))
                                     : ops::matmul(multiply(r, masked(h)), recurrent(2, 1));
    const Tensor candidate = act(add(part(x, 2, 1), reset));
    const Tensor one = Tensor::scalar(DType::kFloat32, 1);
    const Tensor next = add(multiply(z, h), multiply(ops::subtract(one, z), candidate));
    return {next, next};
  }

 private:
  [[nodiscard]] Tensor act(const Tensor& x) const { return activate(tape_, cell_.activation(), x); }
  [[nodiscard]] Tensor gate(const Tensor& x) const {
    return activate(tape_, cell_.recurrent_activation(), x);
  }
  // Returns the columns of `count` gates.
  [[nodiscard]] Tensor part(const Tensor& x, Dim first, Dim count) const {
    const auto units = static_cast<Dim>(cell_.units());
    return ops::slice_axis(x, x.rank() - 1, first * units, (first + count) * units);
  }
  [[nodiscard]] Tensor recurrent(Dim first, Dim count) const {
    return part(cell_.recurrent_kernel()->value(), first, count);
  }
  // Returns the bias; of GRU with reset_after, row 0 is added to the inputs and row 1 to the state.
  [[nodiscard]] Tensor bias(Dim row) const {
    const Tensor& all = cell_.bias()->value();
    if (all.rank() == 1) return all;
    return ops::slice_axis(all, 0, row, row + 1).reshaped({all.shape()[1]});
  }
  [[nodiscard]] Tensor sums() const {
    const Tensor product = ops::matmul(x_, cell_.kernel()->value());
    return cell_.bias() ? add(product, bias(0)) : product;
  }
  // Returns the state as the recurrent product reads it.
  [[nodiscard]] Tensor masked(const Tensor& h) const {
    const kernels::Floats& mask = cell_.recurrent_mask();
    if (mask.empty()) return h;
    return multiply(h, Tensor::from<float>(h.shape(), {mask.data(), h.size()}));
  }
  [[nodiscard]] Tensor product(const Tensor& h, Dim first, Dim count,
                               bool second_bias = false) const {
    const Tensor result = ops::matmul(masked(h), recurrent(first, count));
    return second_bias && cell_.bias() ? add(result, bias(1)) : result;
  }

  CellLayer& cell_;
  Tape& tape_;
  Tensor x_;
};

Tensors stacked_step(Layer& cells, const Tensor& x, const Tensors& states, Frame& frame,
                     Tape& tape) {
  Tensors results{x};
  std::size_t first = 0;
  for (const LayerPtr& layer : cells.sublayers()) {
    const std::size_t count = layer->as_cell()->state_sizes().size();
    const auto from = states.begin() + static_cast<std::ptrdiff_t>(first);
    const Tensors cell_states(from, from + static_cast<std::ptrdiff_t>(count));
    const Tensors outputs = composed_step(*layer, results.front(), cell_states, frame, tape);
    results.front() = outputs.front();
    results.insert(results.end(), outputs.begin() + 1, outputs.end());
    first += count;
  }
  return results;
}

}  // namespace

Tensors composed_step(Layer& layer, const Tensor& x, const Tensors& states, Frame& frame,
                      Tape& tape) {
  const std::string name = layer.class_name();
  if (layer.kind() == "layer") {
    if (name == "ConvLSTMCell") return conv_lstm_step(layer, x, states, tape);
    if (name == "StackedRNNCells") return stacked_step(layer, x, states, frame, tape);
    Step step(static_cast<CellLayer&>(layer), tape, x);
    if (name == "LSTMCell") return step.lstm(states);
    if (name == "SimpleRNNCell") return step.simple_rnn(states);
    if (name == "GRUCell") return step.gru(states, static_cast<GruCell&>(layer).reset_after());
    unsupported_error(name, " has no derivative; use another cell for training");
  }
  return layer.as_cell()->layer_step(x, states, frame);
}

}  // namespace maskflow
