// SPDX-License-Identifier: MIT
#include "kernels/gemm_gradient.hpp"
#include "ops/norm.hpp"
#include "ops/op_gradient.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

std::size_t dim(const Tensor& x, int axis) { return x.shape().length(axis); }

// With one right-hand matrix for all rows of a, as in a Dense layer, these are two products.
Tensors one_matrix_gradients(const RecordedOp& call, const Tensor& a, const Tensor& b,
                             const Tensor& g) {
  const std::size_t k = dim(b, 0);
  const std::size_t n = dim(b, 1);
  const std::size_t rows = k == 0 ? 0 : a.size() / k;
  Tensors gradients(2);
  if (call.needs[0]) {
    gradients[0] = Tensor(DType::kFloat32, a.shape());
    kernels::multiply_transposed({g.floats(), n}, rows, b.floats(), k, n,
                                 gradients[0].mutable_floats());
  }
  if (call.needs[1]) {
    gradients[1] = Tensor::zeros(DType::kFloat32, b.shape());
    kernels::add_outer({a.floats(), k}, {g.floats(), n}, rows, k, n, gradients[1].mutable_floats());
  }
  return gradients;
}

Tensors matmul(const RecordedOp& call, const Tensors& cotangents) {
  Tensor a = ops::cast(call.operands[0], DType::kFloat32);
  Tensor b = ops::cast(call.operands[1], DType::kFloat32);
  Shape shape = cotangents[0].shape();
  if (a.rank() == 1) {
    a = a.reshaped({1, a.shape()[0]});
    shape.insert(shape.rank() - (b.rank() == 1 ? 0 : 1), 1);
  }
  if (b.rank() == 1) {
    b = b.reshaped({b.shape()[0], 1});
    shape.push_back(1);
  }
  const Tensor g = cotangents[0].reshaped(shape);
  Tensors gradients;
  if (b.rank() == 2) {
    gradients = one_matrix_gradients(call, a, b, g);
  } else {
    gradients = {call.needs[0] ? ops::matmul(g, ops::swap_axes(b, -1, -2)) : Tensor(),
                 call.needs[1] ? ops::matmul(ops::swap_axes(a, -1, -2), g) : Tensor()};
  }
  for (std::size_t i = 0; i < 2; ++i) {
    if (gradients[i].empty_handle()) continue;
    const Tensor& operand = i == 0 ? a : b;
    gradients[i] = unbroadcast(gradients[i], operand.shape()).reshaped(call.operands[i].shape());
  }
  return gradients;
}

// The root of a sum of powers, for norms. A sum of 0 becomes 1, whose root has a finite derivative,
// and the root 0 again: zero vectors have the gradient 0, as in PyTorch, and not NaN.
Tensor root(const Tensor& sum, double order) {
  const Tensor zeros = ops::cast(ops::equal(sum, ops::number(0)), DType::kFloat32);
  const Tensor base = ops::add(sum, zeros);
  const Tensor result = order == 2 ? ops::sqrt(base) : ops::power(base, ops::number(1 / order));
  return ops::subtract(result, zeros);
}
const bool registered_root = (set_root_rule(root), true);

constexpr OpGradient kGradients[] = {
    {"Matmul", matmul},
    {"Outer"},
    {"Norm"},
    {"Normalize"},
};
const RegisterOpGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
