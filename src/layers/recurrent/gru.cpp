// SPDX-License-Identifier: MIT
#include <algorithm>

#include "kernels/copy.hpp"
#include "kernels/gates.hpp"
#include "layers/recurrent/gru_cell.hpp"
#include "layers/recurrent/recurrent.hpp"

namespace maskflow {

void GruCell::describe_cell(Fields& fields) {
  describe_units(fields);
  fields.field("recurrent_activation", recurrent_activation_, "Activation of the gates.");
  describe_weights(fields);
  describe_dropout(fields);
  fields.field("reset_after", reset_after_,
               "Apply the reset gate after the recurrent product; false: before it.");
}

void GruCell::build(const std::vector<Shape>& inputs) {
  CellLayer::build(inputs);
  const std::size_t n = units();
  // Two products need the recurrent kernel in two parts.
  if (!reset_after_) recurrent_kernel_->use_matrices({{0, n, 2 * n, 3 * n}, {2 * n, n, n, 3 * n}});
}

void GruCell::begin(std::size_t lanes, Frame& frame) {
  CellLayer::begin(lanes, frame);
  inner_.resize((Count(lanes) * (reset_after_ ? 3 : 2) * units()).of<float>());
  reset_.resize(reset_after_ ? 0 : lanes * units());
  candidate_.resize(lanes * units());
}

const float* GruCell::step(float* x, const StepLanes& lanes, std::span<float* const> states) {
  float* const h = states[0] + lanes.first * units();
  if (reset_after_) {
    step_reset_after(x, lanes, h);
  } else {
    step_reset_before(x, lanes, h);
  }
  return states[0];
}

Shape GruCell::bias_shape() const {
  const Dim width = 3 * Dim{units_};
  return reset_after_ ? Shape{2, width} : Shape{width};
}

void GruCell::activate_gates(float* gates, std::size_t count) const {
  for (std::size_t gate = 0; gate < 2; ++gate) {
    recurrent_activation_.apply(gates + gate * units(), count, units(), 3 * units());
  }
}

void GruCell::step_reset_after(float* x, const StepLanes& lanes, float* h) {
  const std::size_t n = units();
  float* const sums = inner_.data() + lanes.first * 3 * n;
  multiply_state(h, lanes, use_bias_ ? kernels::Start::kBias : kernels::Start::kZero,
                 use_bias_ ? bias_->data() + 3 * n : nullptr, sums);
  if (has_usual_gates()) {
    return kernels::gru_update(x, sums, h, lanes.count, n);
  }
  for (std::size_t lane = 0; lane < lanes.count; ++lane) {
    float* gates = x + lane * 3 * n;
    const float* inner = sums + lane * 3 * n;
    for (std::size_t i = 0; i < 2 * n; ++i) gates[i] += inner[i];
  }
  activate_gates(x, lanes.count);
  for (std::size_t lane = 0; lane < lanes.count; ++lane) {
    float* gates = x + lane * 3 * n;
    const float* inner = sums + lane * 3 * n;
    for (std::size_t i = 0; i < n; ++i) gates[2 * n + i] += gates[n + i] * inner[2 * n + i];
  }
  activation_.apply(x + 2 * n, lanes.count, n, 3 * n);
  for (std::size_t lane = 0; lane < lanes.count; ++lane) {
    const float* gates = x + lane * 3 * n;
    kernels::gru_blend(gates, gates + 2 * n, h + lane * n, n);
  }
}

void GruCell::step_reset_before(float* x, const StepLanes& lanes, float* h) {
  const std::size_t n = units();
  const std::size_t count = lanes.count;
  float* const sums = inner_.data() + lanes.first * 2 * n;
  float* const reset = reset_.data() + lanes.first * n;
  float* const candidate = candidate_.data() + lanes.first * n;
  const float* state = drop_state(h, lanes);
  kernels::gemm({state, n}, count, recurrent_kernel_->packed(0), kernels::Start::kZero, nullptr,
                sums);
  for (std::size_t lane = 0; lane < count; ++lane) {
    float* gates = x + lane * 3 * n;
    const float* inner = sums + lane * 2 * n;
    for (std::size_t i = 0; i < 2 * n; ++i) gates[i] += inner[i];
  }
  activate_gates(x, count);
  for (std::size_t lane = 0; lane < count; ++lane) {
    const float* gates = x + lane * 3 * n;
    for (std::size_t i = 0; i < n; ++i) reset[lane * n + i] = gates[n + i] * state[lane * n + i];
    kernels::copy(gates + 2 * n, candidate + lane * n, n);
  }
  kernels::gemm({reset, n}, count, recurrent_kernel_->packed(1), kernels::Start::kAccumulate,
                nullptr, candidate);
  activation_.apply(candidate, count, n);
  for (std::size_t lane = 0; lane < count; ++lane) {
    kernels::gru_blend(x + lane * 3 * n, candidate + lane * n, h + lane * n, n);
  }
}

namespace {

using Gru = RecurrentOf<GruCell>;

const RegisterLayer<GruCell> cell_registration{
    "GRUCell", "One step of GRU; state [h].", {.in_recurrent_module = true, .in_tfjs = true}};
const RegisterLayer<Gru> registration{
    "GRU",
    "Gated recurrent unit (Cho et al. 2014), with both forms of reset_after. Input [batch, time, "
    "features]; masked steps are skipped.",
    {.in_recurrent_module = true, .in_tfjs = true}};

}  // namespace
}  // namespace maskflow
