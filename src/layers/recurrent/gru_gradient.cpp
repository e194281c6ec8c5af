// SPDX-License-Identifier: MIT
#include <algorithm>

#include "kernels/copy.hpp"
#include "kernels/gates_gradient.hpp"
#include "layers/recurrent/cell_gradient.hpp"
#include "layers/recurrent/gru_cell.hpp"

namespace maskflow {
namespace {

using kernels::Start;

// The reset gate follows the recurrent product, whose columns of the candidate are recorded.
class GruResetAfterGradient final : public FusedCell {
 public:
  using FusedCell::FusedCell;

  [[nodiscard]] std::size_t extra_width() const override { return n_; }
  void begin(std::size_t lanes) override {
    FusedCell::begin(lanes);
    inner_.resize((Count(lanes) * 3 * n_).of<float>());
  }
  void forward(const StepRows& step) override {
    const VariablePtr& bias = cell_.bias();
    const std::size_t lanes = step.lanes.count;
    float* const inner = inner_.data() + step.lanes.first * 3 * n_;
    kernels::gemm({state_before(step), n_}, lanes, cell_.recurrent_kernel()->packed(),
                  bias ? Start::kBias : Start::kZero, bias ? bias->data() + 3 * n_ : nullptr,
                  inner);
    kernels::gru_forward(step.gates, inner, step.h_before, step.h, lanes, n_);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      kernels::copy(inner + (3 * lane + 2) * n_, step.extra + lane * n_, n_);
    }
  }
  void begin_backward() override {
    FusedCell::begin_backward();
    gates_ = transposed({0, 2 * n_});
    candidate_ = transposed({2 * n_, n_});
  }
  void backward(const StepRows& step, float* dh, float* /*dc*/) override {
    kernels::gru_backward(step.gates, step.extra, step.h_before, dh, step.lanes.count, n_);
    add_product({step.gates, 3 * n_}, step.lanes, gates_, dh);
    add_product({step.extra, n_}, step.lanes, candidate_, dh);
  }
  void add_weights(const RunHistory& history, float* recurrent, float* bias) const override {
    const kernels::Rows gates{history.gates.data(), 3 * n_};
    const kernels::Rows extra{history.extra.data(), n_};
    add_recurrent(history, gates, {0, 2 * n_}, recurrent);
    add_recurrent(history, extra, {2 * n_, n_}, recurrent);
    if (bias == nullptr) return;
    kernels::add_rows(gates, history.rows, 3 * n_, bias);
    kernels::copy(bias, bias + 3 * n_, 2 * n_);
    kernels::add_rows(extra, history.rows, n_, bias + 5 * n_);
  }

 private:
  kernels::Floats inner_;
  kernels::PackedMatrix gates_, candidate_;
};

// The reset gate precedes the recurrent product: a step has two products, and r h is recorded.
class GruResetBeforeGradient final : public FusedCell {
 public:
  using FusedCell::FusedCell;

  [[nodiscard]] std::size_t extra_width() const override { return n_; }
  void begin(std::size_t lanes) override {
    FusedCell::begin(lanes);
    sums_.resize((Count(lanes) * 2 * n_).of<float>());
  }
  void forward(const StepRows& step) override {
    const std::size_t lanes = step.lanes.count;
    float* const sums = sums_of(step);
    const float* const state = state_before(step);
    const kernels::PackedMatrix& first = cell_.recurrent_kernel()->packed(0);
    const kernels::PackedMatrix& second = cell_.recurrent_kernel()->packed(1);
    kernels::gemm({state, n_}, lanes, first, Start::kZero, nullptr, sums);
    kernels::gru_reset(step.gates, sums, state, step.extra, lanes, n_);
    kernels::gemm({step.extra, n_}, lanes, second, Start::kZero, nullptr, sums);
    kernels::gru_candidate(step.gates, sums, step.h_before, step.h, lanes, n_);
  }
  void begin_backward() override {
    FusedCell::begin_backward();
    gates_ = transposed({0, 2 * n_});
    candidate_ = transposed({2 * n_, n_});
  }
  void backward(const StepRows& step, float* dh, float* /*dc*/) override {
    const std::size_t lanes = step.lanes.count;
    const std::size_t size = lanes * n_;
    kernels::gru_candidate_backward(step.gates, step.h_before, dh, lanes, n_);
    float* const sums = sums_of(step);
    kernels::gemm({step.gates + 2 * n_, 3 * n_}, lanes, candidate_, Start::kZero, nullptr, sums);
    // The cotangent of h through r h also passes the random mask of the state.
    float* const masked = sums + size;
    std::fill_n(masked, size, 0.0F);
    kernels::gru_reset_backward(step.gates, sums, state_before(step), masked, lanes, n_);
    if (!mask_.empty()) {
      const float* const mask = mask_.data() + step.lanes.first * n_;
      for (std::size_t i = 0; i < size; ++i) masked[i] *= mask[i];
    }
    kernels::add(masked, dh, size);
    add_product({step.gates, 3 * n_}, step.lanes, gates_, dh);
  }
  void add_weights(const RunHistory& history, float* recurrent, float* bias) const override {
    const kernels::Rows gates{history.gates.data(), 3 * n_};
    add_recurrent(history, gates, {0, 2 * n_}, recurrent);
    kernels::add_outer({history.extra.data(), n_}, {gates.base + 2 * n_, 3 * n_}, history.rows, n_,
                       n_, recurrent + 2 * n_, 3 * n_);
    if (bias != nullptr) kernels::add_rows(gates, history.rows, 3 * n_, bias);
  }

 private:
  // Returns two rows of temporaries for each lane of the step.
  [[nodiscard]] float* sums_of(const StepRows& step) {
    return sums_.data() + step.lanes.first * 2 * n_;
  }

  kernels::Floats sums_;
  kernels::PackedMatrix gates_, candidate_;
};

}  // namespace

std::unique_ptr<CellGradient> gru_gradient(CellLayer& cell) {
  if (static_cast<GruCell&>(cell).reset_after()) {
    return std::make_unique<GruResetAfterGradient>(cell);
  }
  return std::make_unique<GruResetBeforeGradient>(cell);
}

}  // namespace maskflow
