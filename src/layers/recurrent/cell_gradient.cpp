// SPDX-License-Identifier: MIT
#include "layers/recurrent/cell_gradient.hpp"

#include <algorithm>
#include <functional>

namespace maskflow {
namespace {

struct Entry {
  std::string_view name;
  std::unique_ptr<CellGradient> (*make)(CellLayer& cell);
  bool has_gates;
};
constexpr Entry kFused[] = {
    {"LSTMCell", lstm_gradient, true},
    {"GRUCell", gru_gradient, true},
    {"SimpleRNNCell", simple_rnn_gradient, false},
};

}  // namespace

std::unique_ptr<CellGradient> fused_gradient(Layer& layer) {
  for (const Entry& entry : kFused) {
    if (layer.class_name() != entry.name || layer.kind() != "layer") continue;
    auto& cell = static_cast<CellLayer&>(layer);
    const bool is_fused = cell.activation().name() == "tanh" &&
                          (!entry.has_gates || cell.recurrent_activation().name() == "sigmoid");
    return is_fused ? entry.make(cell) : nullptr;
  }
  return nullptr;
}

Tensors FusedCell::weights() const {
  Tensors weights{cell_.kernel()->value(), cell_.recurrent_kernel()->value()};
  if (cell_.bias()) weights.push_back(cell_.bias()->value());
  return weights;
}

kernels::PackedMatrix FusedCell::transposed(const Columns& columns) const {
  return {cell_.recurrent_kernel()->data(), {columns.first, columns.count, n_, 1, width()}};
}

void FusedCell::begin(std::size_t /*lanes*/) {
  mask_ = cell_.recurrent_mask();
  dropped_.resize(mask_.size());
}

const float* FusedCell::state_before(const StepRows& step) {
  if (mask_.empty()) return step.h_before;
  const std::size_t first = step.lanes.first * n_;
  float* const dropped = dropped_.data() + first;
  std::transform(step.h_before, step.h_before + step.lanes.count * n_, mask_.data() + first,
                 dropped, std::multiplies<>());
  return dropped;
}

void FusedCell::add_product(const kernels::Rows& g, const StepLanes& lanes,
                            const kernels::PackedMatrix& matrix, float* dh) {
  if (mask_.empty()) {
    kernels::gemm(g, lanes.count, matrix, kernels::Start::kAccumulate, nullptr, dh);
    return;
  }
  const std::size_t first = lanes.first * n_;
  float* const product = product_.data() + first;
  kernels::gemm(g, lanes.count, matrix, kernels::Start::kZero, nullptr, product);
  for (std::size_t i = 0; i < lanes.count * n_; ++i) dh[i] += product[i] * mask_[first + i];
}

void FusedCell::add_recurrent(const RunHistory& history, const kernels::Rows& g,
                              const Columns& columns, float* to) const {
  const kernels::Rows part{g.base, g.stride};
  if (mask_.empty()) {
    history.add_recurrent(part, columns.count, to + columns.first, width());
    return;
  }
  // Each row has the mask of its lane, and the lane of the row before it.
  std::vector<std::size_t> lanes(history.rows);
  for (std::size_t row = 0; row < history.rows; ++row) {
    const bool is_first = row < history.first_lanes;
    lanes[row] = is_first ? row : lanes[at(history.before[row - history.first_lanes])];
  }
  RunHistory masked = history;
  for (std::size_t i = 0; i < masked.first_lanes * n_; ++i) masked.h_start[i] *= mask_[i];
  for (std::size_t row = 0; row < history.rows; ++row) {
    const float* const mask = mask_.data() + lanes[row] * n_;
    for (std::size_t i = 0; i < n_; ++i) masked.h[row * n_ + i] *= mask[i];
  }
  masked.add_recurrent(part, columns.count, to + columns.first, width());
}

}  // namespace maskflow
