// SPDX-License-Identifier: MIT
// h' = activation(x K + b + h R)
#include <algorithm>

#include "kernels/copy.hpp"
#include "layers/recurrent/cell_layer.hpp"
#include "layers/recurrent/recurrent.hpp"

namespace maskflow {
namespace {

class SimpleRnnCell final : public CellLayer {
 public:
  static constexpr const char* kClassName = "SimpleRNNCell";
  SimpleRnnCell() : CellLayer(1) {}

  void describe_cell(Fields& fields) override {
    describe_units(fields);
    describe_weights(fields);
    describe_dropout(fields);
  }

  const float* step(float* projected, const StepLanes& lanes,
                    std::span<float* const> states) override {
    float* h = states[0] + lanes.first * units();
    multiply_state(h, lanes, kernels::Start::kAccumulate, nullptr, projected);
    activation_.apply(projected, lanes.count, units());
    kernels::copy(projected, h, lanes.count * units());
    return states[0];
  }
};

using SimpleRnn = RecurrentOf<SimpleRnnCell>;

const RegisterLayer<SimpleRnnCell> cell_registration{
    "SimpleRNNCell",
    "One step of SimpleRNN: h' = activation(x K + b + h R).",
    {.in_recurrent_module = true, .in_tfjs = true}};
const RegisterLayer<SimpleRnn> registration{
    "SimpleRNN",
    "Fully connected recurrent layer: h' = activation(x K + b + h R). Input [batch, time, "
    "features]; masked steps are skipped.",
    {.in_recurrent_module = true, .in_tfjs = true}};

}  // namespace
}  // namespace maskflow
