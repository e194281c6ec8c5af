// SPDX-License-Identifier: MIT
// Products of tensors along axes of choice, by NumPy's rules, in the common dtype of the operands.
#include <algorithm>

#include "ops/ops.hpp"

namespace maskflow {
namespace {

// Returns x as a matrix: the axes that are not listed, in their order, and the listed ones at the
// end, or at the start with `listed_first`.
Tensor as_matrix(const Tensor& x, const std::vector<int>& listed, bool listed_first, Shape& kept) {
  std::vector<int> order;
  Dim rows = 1;
  for (int axis = 0; axis < x.rank(); ++axis) {
    if (std::ranges::find(listed, axis) != listed.end()) continue;
    order.push_back(axis);
    kept.push_back(x.shape()[axis]);
    rows *= x.shape()[axis];
  }
  order.insert(listed_first ? order.begin() : order.end(), listed.begin(), listed.end());
  Dim columns = 1;
  for (const int axis : listed) columns *= x.shape()[axis];
  const Tensor moved = ops::transpose(x, order);
  return moved.reshaped(listed_first ? Shape{columns, rows} : Shape{rows, columns});
}

// The sum of products over pairs of axes.
Tensor contracted(const Tensor& a, const Tensor& b, const std::vector<int>& a_axes,
                  const std::vector<int>& b_axes) {
  if (a_axes.size() != b_axes.size()) {
    value_error("'axes' lists ", a_axes.size(), " axes of x1 but ", b_axes.size(), " of x2");
  }
  for (std::size_t i = 0; i < a_axes.size(); ++i) {
    if (a.shape()[a_axes[i]] == b.shape()[b_axes[i]]) continue;
    shape_error("axis ", a_axes[i], " of ", a.shape(), " has another size than axis ", b_axes[i],
                " of ", b.shape());
  }
  Shape shape;
  const Tensor left = as_matrix(a, a_axes, false, shape);
  const Tensor right = as_matrix(b, b_axes, true, shape);
  return ops::matmul(left, right).reshaped(shape);
}

Tensor in_common_dtype(const Tensor& product, Operands x) {
  return ops::cast(product, std::max(x[0].dtype(), x[1].dtype()));
}

bool has_scalar(Operands x) { return x[0].rank() == 0 || x[1].rank() == 0; }

Tensors dot(Operands x, const OpAttributes&) {
  if (has_scalar(x)) return {ops::multiply(x[0], x[1])};
  const int b_axis = std::max(x[1].rank() - 2, 0);
  return {in_common_dtype(contracted(x[0], x[1], {x[0].rank() - 1}, {b_axis}), x)};
}

Tensors inner(Operands x, const OpAttributes&) {
  if (has_scalar(x)) return {ops::multiply(x[0], x[1])};
  return {in_common_dtype(contracted(x[0], x[1], {x[0].rank() - 1}, {x[1].rank() - 1}), x)};
}

Tensors vdot(Operands x, const OpAttributes&) {
  const auto flat = [](const Tensor& each) { return each.reshaped({each.shape().size()}); };
  return {in_common_dtype(contracted(flat(x[0]), flat(x[1]), {0}, {0}), x)};
}

Tensors tensordot(Operands x, const OpAttributes& attributes) {
  const Value axes = attributes.get("axes");
  std::vector<int> a_axes;
  std::vector<int> b_axes;
  if (axes.is_number()) {
    const Dim count = axes.as_integer("axes");
    if (count < 0 || count > std::min(x[0].rank(), x[1].rank())) {
      value_error("'axes' is ", count, " but must be 0 to ", std::min(x[0].rank(), x[1].rank()));
    }
    for (int i = 0; i < static_cast<int>(count); ++i) {
      a_axes.push_back(x[0].rank() - static_cast<int>(count) + i);
      b_axes.push_back(i);
    }
    return {in_common_dtype(contracted(x[0], x[1], a_axes, b_axes), x)};
  }
  const List& pair = axes.as_list("axes");
  if (pair.size() != 2) value_error("'axes' must be a number, or the axes of x1 and those of x2");
  for (std::size_t side = 0; side < 2; ++side) {
    const List list = pair[side].is_list() ? pair[side].as_list("axes") : List{pair[side]};
    for (const Value& axis : list) {
      (side == 0 ? a_axes : b_axes)
          .push_back(normalize_axis(axis.as_integer("axes"), x[side].rank()));
    }
  }
  return {in_common_dtype(contracted(x[0], x[1], a_axes, b_axes), x)};
}

constexpr OpAttribute kTensordotSettings[] = {
    {"axes", "number | [number | number[], number | number[]]",
     "Axes to sum over: the last of x1 and as many first of x2, or a list for each.", false, 2}};

constexpr OpDef kOps[] = {
    {"Dot",
     "x1 x2",
     {},
     "Sums of products over the last axis of x1 and the second to last of x2.",
     dot},
    {"Inner", "x1 x2", {}, "Sums of products over the last axes of both.", inner},
    {"Vdot", "x1 x2", {}, "The sum of the products of all elements.", vdot},
    {"Tensordot", "x1 x2", kTensordotSettings, "Sums of products over several axes.", tensordot},
};
const RegisterOps registration{kOps, "maskflow/train"};

}  // namespace
}  // namespace maskflow
