// SPDX-License-Identifier: MIT
// Backpropagation through time from the cotangents of h' and c' (Hochreiter and Schmidhuber 1997,
// Graves 2012). The derivatives of sigmoid and tanh at their values y are y (1 - y) and 1 - y^2.
#include <algorithm>

#include "kernels/gates_gradient.hpp"
#include "layers/recurrent/cell_gradient.hpp"

namespace maskflow {
namespace {

class LstmGradient final : public FusedCell {
 public:
  using FusedCell::FusedCell;

  [[nodiscard]] std::size_t extra_width() const override { return n_; }
  void forward(const StepRows& step) override {
    kernels::gemm({state_before(step), n_}, step.lanes.count, cell_.recurrent_kernel()->packed(),
                  kernels::Start::kAccumulate, nullptr, step.gates);
    kernels::lstm_forward(step.gates, step.extra_before, step.extra, step.h, step.lanes.count, n_);
  }
  void begin_backward() override {
    FusedCell::begin_backward();
    matrix_ = transposed({0, 4 * n_});
  }
  void backward(const StepRows& step, float* dh, float* dc) override {
    kernels::lstm_backward(step.gates, step.extra_before, step.extra, dh, dc, step.lanes.count, n_);
    std::fill_n(dh, step.lanes.count * n_, 0.0F);
    add_product({step.gates, 4 * n_}, step.lanes, matrix_, dh);
  }
  void add_weights(const RunHistory& history, float* recurrent, float* bias) const override {
    const kernels::Rows gates{history.gates.data(), 4 * n_};
    add_recurrent(history, gates, {0, 4 * n_}, recurrent);
    if (bias != nullptr) kernels::add_rows(gates, history.rows, 4 * n_, bias);
  }

 private:
  kernels::PackedMatrix matrix_;
};

}  // namespace

std::unique_ptr<CellGradient> lstm_gradient(CellLayer& cell) {
  return std::make_unique<LstmGradient>(cell);
}

}  // namespace maskflow
