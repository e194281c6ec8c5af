// SPDX-License-Identifier: MIT
// Backpropagation through time: with the cotangents of h' and c', and y (1 - y), 1 - y^2 for the
// derivatives of sigmoid and tanh at their values, see Hochreiter and Schmidhuber 1997, Graves
// 2012.
#include <algorithm>

#include "kernels/gates_gradient.hpp"
#include "layers/recurrent/cell_gradient.hpp"

namespace maskflow {
namespace {

class LstmGradient final : public FusedCell {
 public:
  using FusedCell::FusedCell;

  [[nodiscard]] std::size_t kept_width() const override { return n_; }
  void forward(const StepRows& step) override {
    kernels::gemm({seen(step), n_}, step.lanes, cell_.recurrent_kernel()->packed(),
                  kernels::Start::kAccumulate, nullptr, step.gates);
    kernels::lstm_forward(step.gates, step.kept_before, step.kept, step.h, step.lanes, n_);
    keep_mask();
  }
  void begin_back() override { matrix_ = transposed({0, 4 * n_}); }
  void backward(const StepRows& step, float* dh, float* dc) override {
    kernels::lstm_backward(step.gates, step.kept_before, step.kept, dh, dc, step.lanes, n_);
    std::fill_n(dh, step.lanes * n_, 0.0F);
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
