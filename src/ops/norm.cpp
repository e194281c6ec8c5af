// SPDX-License-Identifier: MIT
// Norms of a given order: sums of powers of vectors, largest or smallest sums of matrices.
#include "ops/norm.hpp"

#include <cmath>

#include "ops/ops.hpp"

namespace maskflow {
namespace {

Tensor power(const Tensor& x, double exponent) {
  return ops::power(x, Tensor::scalar(DType::kFloat32, exponent));
}

Tensor vector_norm(const Tensor& x, double order, const ops::Axes& axes, bool keepdims) {
  if (order == 0) {
    const Tensor zero = Tensor::scalar(DType::kFloat32, 0);
    const Tensor count = ops::cast(ops::not_equal(x, zero), DType::kFloat32);
    return ops::sum(count, axes, keepdims);
  }
  const Tensor sizes = ops::absolute(x);
  if (std::isinf(order)) return (order > 0 ? ops::max : ops::min)(sizes, axes, keepdims);
  if (order == 1) return ops::sum(sizes, axes, keepdims);
  const Tensor sum = ops::sum(power(sizes, order), axes, keepdims);
  return order > 0 ? root_of_sum(sum, order) : power(sum, 1 / order);
}

// Returns the largest or smallest sum along one of the two axes: order 1 sums columns, infinity
// rows.
Tensor matrix_norm(const Tensor& x, double order, const std::vector<Dim>& axes, bool keepdims) {
  if (std::abs(order) != 1 && !std::isinf(order)) {
    unsupported_error("the matrix norm of order ", order,
                      " needs singular values, which are not available; use order 1, infinity or "
                      "'fro'");
  }
  const std::size_t sum_axis = std::isinf(order) ? 1 : 0;
  const Tensor sums = ops::sum(ops::absolute(x), axes[sum_axis], true);
  const Tensor extreme = (order > 0 ? ops::max : ops::min)(sums, axes[1 - sum_axis], true);
  return keepdims ? extreme : ops::squeeze(extreme, axes);
}

Tensor of_order(const Tensor& x, const OpAttributes& attributes) {
  const Value axis = attributes.get("axis");
  const Value order = attributes.get("ord");
  const bool keepdims = attributes.flag("keepdims");
  const Tensor floats = ops::cast(x, DType::kFloat32);
  std::vector<Dim> axes;
  if (!axis.is_null()) axes = attributes.integers("axis");
  for (int i = 0; axis.is_null() && i < floats.rank(); ++i) axes.push_back(i);
  const bool frobenius = order.is_string() && order.as_string("ord") == "fro";
  if (axes.size() > 2 || axes.empty() || (frobenius && axes.size() == 1)) {
    value_error("the norm with 'ord' ", order, " needs ", frobenius ? "" : "one axis or ",
                "two axes, but 'axis' has ", axes.size());
  }
  if (frobenius || (axes.size() == 1 && order.as_number("ord") == 2)) {
    return root_of_sum(ops::sum(ops::multiply(floats, floats), ops::Axes(axis), keepdims), 2);
  }
  const double number = order.as_number("ord");
  if (axes.size() == 2) return matrix_norm(floats, number, axes, keepdims);
  return vector_norm(floats, number, ops::Axes(axis), keepdims);
}

const bool registered = (set_norm_rule(of_order), true);

}  // namespace
}  // namespace maskflow
