// SPDX-License-Identifier: MIT
#include <array>

#include "layers/convolution/window_product_gradient.hpp"
#include "layers/recurrent/cell_gradient.hpp"
#include "layers/recurrent/conv_lstm_cell.hpp"
#include "ops/activation_gradient.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

using ops::add;
using ops::multiply;

// Computes the product of the windows of frames [lanes, steps, channels] with a kernel,
// [lanes, positions, filters], and records it.
Tensor product(Tape& tape, const Tensor& frames, const VariablePtr& weight, WindowProduct& multiply,
               const Window& window, Dim positions) {
  const Tensor kernel = weight->value();
  const Shape& shape = frames.shape();
  const std::vector<std::int32_t> first = window.starts(at(shape[0]), shape[1], positions);
  Tensor result(DType::kFloat32, {shape[0], positions, kernel.shape()[2]});
  multiply(frames.floats(), first, kernels::Start::kZero, nullptr, result.mutable_floats());
  tape.record(std::array{frames, kernel}, {&result, 1},
              [frames, kernel, first, dilation = window.dilation()](const Tensors& g) {
                Tensors gradients{Tensor::zeros(DType::kFloat32, frames.shape()),
                                  Tensor::zeros(DType::kFloat32, kernel.shape())};
                const WindowProductGradient gradient{kernel, dilation, 1};
                gradient(frames.floats(), first, g[0].floats(), gradients[0].mutable_floats(),
                         gradients[1].mutable_floats());
                return gradients;
              });
  return result;
}

// Returns the state as the recurrent product reads it: times its random mask, with zeros around
// each frame.
Tensor bordered(const ConvLstmCell& cell, const Tensor& h) {
  const kernels::Floats& mask = cell.recurrent_mask();
  const Tensor masked =
      mask.empty() ? h : multiply(h, Tensor::from<float>(h.shape(), {mask.data(), h.size()}));
  const auto units = static_cast<Dim>(cell.units());
  const Shape frames{h.shape()[0], cell.positions(), units};
  const auto zeros = [&](Dim steps) {
    return Tensor::zeros(DType::kFloat32, {frames[0], steps, units});
  };
  const Dim before = cell.border() / 2;
  return ops::concatenate(
      std::array{zeros(before), masked.reshaped(frames), zeros(cell.border() - before)}, 1);
}

}  // namespace

Tensors conv_lstm_step(Layer& layer, const Tensor& x, const Tensors& states, Tape& tape) {
  auto& cell = static_cast<ConvLstmCell&>(layer);
  const Dim lanes = x.shape()[0];
  const Dim positions = cell.positions();
  const auto units = static_cast<Dim>(cell.units());
  const Shape rows{lanes, positions * units};
  const Tensor frames = x.reshaped({lanes, cell.frame_size() / cell.channels(), cell.channels()});
  Tensor sums =
      add(product(tape, frames, cell.kernel(), cell.input_product(), cell.window(), positions),
          product(tape, bordered(cell, states[0]), cell.recurrent_kernel(),
                  cell.recurrent_product(), Window(), positions));
  if (cell.bias()) sums = add(sums, cell.bias()->value());
  const auto part = [&](Dim gate, const Activation& activation) {
    const Tensor slice = ops::slice_axis(sums, 2, gate * units, (gate + 1) * units);
    return activate(tape, activation, slice).reshaped(rows);
  };
  const Activation& gate = cell.recurrent_activation();
  const Tensor candidate = multiply(part(0, gate), part(2, cell.activation()));
  const Tensor c = add(multiply(part(1, gate), states[1]), candidate);
  const Tensor activated =
      activate(tape, cell.activation(), c.reshaped({lanes, positions, units})).reshaped(rows);
  const Tensor h = multiply(part(3, gate), activated);
  return {h, h, c};
}

}  // namespace maskflow
