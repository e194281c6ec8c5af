// SPDX-License-Identifier: MIT
// Norms with an order: sums of powers, and the largest or smallest sum of a matrix.
#include "ops/norm.hpp"

#include <cmath>

#include "ops/ops.hpp"

namespace maskflow {
namespace {

Tensor reduced(Name name, const Tensor& x, const Value& axis, bool keepdims) {
  Dict settings;
  settings["axis"] = axis;
  settings["keepdims"] = keepdims;
  return apply_op1(name, {&x, 1}, settings);
}

Tensor power(const Tensor& x, double exponent) {
  return ops::binary("Power", x, Tensor::scalar(DType::kFloat32, exponent));
}

Tensor vector_norm(const Tensor& x, double order, const Value& axis, bool keepdims) {
  if (order == 0) {
    const Tensor zero = Tensor::scalar(DType::kFloat32, 0);
    const Tensor count = ops::cast(ops::not_equal(x, zero), DType::kFloat32);
    return reduced("Sum", count, axis, keepdims);
  }
  const Tensor sizes = apply_op1("Absolute", {&x, 1});
  if (std::isinf(order)) return reduced(order > 0 ? "Max" : "Min", sizes, axis, keepdims);
  if (order == 1) return reduced("Sum", sizes, axis, keepdims);
  return power(reduced("Sum", power(sizes, order), axis, keepdims), 1 / order);
}

// The largest or smallest sum along one of the two axes: order 1 adds columns up, infinity rows.
Tensor matrix_norm(const Tensor& x, double order, const std::vector<Dim>& axes, bool keepdims) {
  if (std::abs(order) != 1 && !std::isinf(order)) {
    unsupported_error("the matrix norm of order ", order,
                      " needs singular values, which are not available; use order 1, infinity or "
                      "'fro'");
  }
  const std::size_t added = std::isinf(order) ? 1 : 0;
  const Tensor sums = reduced("Sum", apply_op1("Absolute", {&x, 1}), axes[added], true);
  const Tensor extreme = reduced(order > 0 ? "Max" : "Min", sums, axes[1 - added], true);
  if (keepdims) return extreme;
  Dict gone;
  gone["axis"] = List{axes[0], axes[1]};
  return apply_op1("Squeeze", {&extreme, 1}, gone);
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
    value_error("the norm with 'ord' ", order, " is that of ", frobenius ? "" : "one axis or ",
                "two axes, but 'axis' names ", axes.size());
  }
  if (frobenius || (axes.size() == 1 && order.as_number("ord") == 2)) {
    const Tensor sum = reduced("Sum", ops::multiply(floats, floats), axis, keepdims);
    return apply_op1("Sqrt", {&sum, 1});
  }
  const double number = order.as_number("ord");
  if (axes.size() == 2) return matrix_norm(floats, number, axes, keepdims);
  return vector_norm(floats, number, axis, keepdims);
}

const bool registered = (set_norm_rule(of_order), true);

}  // namespace
}  // namespace maskflow
