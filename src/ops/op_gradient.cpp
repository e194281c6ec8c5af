// SPDX-License-Identifier: MIT
#include "ops/op_gradient.hpp"

#include "ops/ops.hpp"

namespace maskflow {
namespace {

const RegisterOpGradients*& last_table() {
  static const RegisterOpGradients* table = nullptr;
  return table;
}

}  // namespace

RegisterOpGradients::RegisterOpGradients(std::span<const OpGradient> gradients)
    : gradients_(gradients), next_(std::exchange(last_table(), this)) {}

const OpGradient* find_op_gradient(std::string_view name) {
  for (const RegisterOpGradients* table = last_table(); table != nullptr; table = table->next_) {
    for (const OpGradient& gradient : table->gradients_) {
      if (gradient.name == name) return &gradient;
    }
  }
  return nullptr;
}

Tensor unbroadcast(const Tensor& gradient, const Shape& shape) {
  if (gradient.shape() == shape) return gradient;
  const int added = gradient.rank() - shape.rank();
  std::vector<Dim> axes;
  for (int axis = 0; axis < gradient.rank(); ++axis) {
    if (axis < added || (shape[axis - added] == 1 && gradient.shape()[axis] != 1)) {
      axes.push_back(axis);
    }
  }
  const Tensor sum = axes.empty() ? gradient : ops::sum(gradient, axes, true);
  return sum.reshaped(shape);
}

}  // namespace maskflow
