// SPDX-License-Identifier: MIT
#include <algorithm>

#include "kernels/activation.hpp"
#include "kernels/gates_gradient.hpp"
#include "layers/recurrent/cell_gradient.hpp"

namespace maskflow {
namespace {

class SimpleRnnGradient final : public FusedCell {
 public:
  using FusedCell::FusedCell;

  [[nodiscard]] std::size_t extra_width() const override { return 0; }
  void forward(const StepRows& step) override {
    kernels::gemm({state_before(step), n_}, step.lanes.count, cell_.recurrent_kernel()->packed(),
                  kernels::Start::kAccumulate, nullptr, step.gates);
    kernels::tanh_row(step.gates, step.h, step.lanes.count * n_);
  }
  void begin_backward() override {
    FusedCell::begin_backward();
    matrix_ = transposed({0, n_});
  }
  void backward(const StepRows& step, float* dh, float* /*dc*/) override {
    kernels::tanh_backward(step.h, dh, step.gates, step.lanes.count * n_);
    std::fill_n(dh, step.lanes.count * n_, 0.0F);
    add_product({step.gates, n_}, step.lanes, matrix_, dh);
  }
  void add_weights(const RunHistory& history, float* recurrent, float* bias) const override {
    const kernels::Rows gates{history.gates.data(), n_};
    add_recurrent(history, gates, {0, n_}, recurrent);
    if (bias != nullptr) kernels::add_rows(gates, history.rows, n_, bias);
  }

 private:
  kernels::PackedMatrix matrix_;
};

}  // namespace

std::unique_ptr<CellGradient> simple_rnn_gradient(CellLayer& cell) {
  return std::make_unique<SimpleRnnGradient>(cell);
}

}  // namespace maskflow
