// SPDX-License-Identifier: MIT
// Derivatives of reductions. Ties of Max and Min share the gradient equally.
#include <array>

#include "ops/op_gradient.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

using ops::multiply;

// Returns the operand's shape, with size 1 for the reduced axes.
Shape keepdims_shape(const RecordedOp& call) {
  Shape shape = call.operands[0].shape();
  const OpAttributes settings = call.settings();
  if (settings.is_null("axis")) {
    for (int axis = 0; axis < shape.rank(); ++axis) shape.set(axis, 1);
    return shape;
  }
  for (const Dim axis : settings.integers("axis")) shape.set(normalize_axis(axis, shape.rank()), 1);
  return shape;
}

Tensor number(double x) { return Tensor::scalar(DType::kFloat32, x); }

// Returns the number of elements that are reduced to one result.
double count(const RecordedOp& call) {
  return static_cast<double>(call.operands[0].size()) /
         static_cast<double>(std::max<std::size_t>(call.results[0].size(), 1));
}

// Repeats a tensor of the result's shape along the reduced axes.
Tensor spread(const RecordedOp& call, const Tensor& x) {
  return ops::broadcast_to(x.reshaped(keepdims_shape(call)), call.operands[0].shape());
}

ops::Axes axes_of(const RecordedOp& call) { return ops::Axes(call.settings().get("axis")); }

Tensor summed(const RecordedOp& call, const Tensor& x) { return ops::sum(x, axes_of(call), true); }

Tensors sum(const RecordedOp& call, const Tensors& g) { return {spread(call, g[0])}; }
Tensors mean(const RecordedOp& call, const Tensors& g) {
  return {spread(call, multiply(g[0], number(1 / count(call))))};
}
Tensors extreme(const RecordedOp& call, const Tensors& g) {
  const Shape shape = keepdims_shape(call);
  const Tensor best =
      ops::cast(ops::equal(call.operands[0], call.results[0].reshaped(shape)), DType::kFloat32);
  const Tensor share = ops::divide(g[0].reshaped(shape), summed(call, best));
  return {multiply(best, share)};
}

// The derivative with respect to an element is the product of the others, without dividing by zero.
// If exactly one element is 0, only its derivative is not 0; if two are, all derivatives are 0.
Tensors product(const RecordedOp& call, const Tensors& g) {
  const Tensor& x = call.operands[0];
  const Shape shape = keepdims_shape(call);
  const Tensor is_zero = ops::equal(x, number(0));
  const Tensor zeros = summed(call, ops::cast(is_zero, DType::kFloat32));
  const Tensor nonzero = ops::where(is_zero, number(1), x);
  const Tensor product_of_rest = ops::prod(nonzero, axes_of(call), true);
  const Tensor slope_at_zero = ops::where(ops::logical_and(is_zero, ops::equal(zeros, number(1))),
                                          product_of_rest, number(0));
  const Tensor slope = ops::where(ops::equal(zeros, number(0)),
                                  ops::divide(product_of_rest, nonzero), slope_at_zero);
  return {multiply(slope, g[0].reshaped(shape))};
}

Tensor deviation(const RecordedOp& call) {
  const Tensor& x = call.operands[0];
  return ops::subtract(x, multiply(summed(call, x), number(1 / count(call))));
}
Tensors variance(const RecordedOp& call, const Tensors& g) {
  const Tensor part = multiply(g[0], number(2 / count(call))).reshaped(keepdims_shape(call));
  return {multiply(deviation(call), part)};
}
// The derivative is 0 where all elements are equal.
Tensors standard_deviation(const RecordedOp& call, const Tensors& g) {
  const Tensor& y = call.results[0];
  const Tensor part = ops::where(ops::equal(y, number(0)), number(0),
                                 ops::divide(multiply(g[0], number(1 / count(call))), y));
  return {multiply(deviation(call), part.reshaped(keepdims_shape(call)))};
}
Tensors logsumexp(const RecordedOp& call, const Tensors& g) {
  const Shape shape = keepdims_shape(call);
  const Tensor log_share = ops::subtract(call.operands[0], call.results[0].reshaped(shape));
  return {multiply(ops::exp(log_share), g[0].reshaped(shape))};
}
Tensors cumsum(const RecordedOp& call, const Tensors& g) {
  const Dim axis = call.settings().is_null("axis") ? 0 : call.settings().integer("axis");
  const Tensor gradient = ops::flip(ops::cumsum(ops::flip(g[0], axis), axis), axis);
  return {gradient.reshaped(call.operands[0].shape())};
}

constexpr OpGradient kGradients[] = {
    {"Sum", sum},
    {"Mean", mean},
    {"Max", extreme},
    {"Min", extreme},
    {"Prod", product},
    {"Var", variance},
    {"Std", standard_deviation},
    {"Logsumexp", logsumexp},
    {"Cumsum", cumsum},
};
const RegisterOpGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
