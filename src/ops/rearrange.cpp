// SPDX-License-Identifier: MIT
// Further ops that move, join or choose elements.
#include <algorithm>
#include <numeric>

#include "ops/ops.hpp"

namespace maskflow {
namespace {

Tensors diff(Operands x, const OpAttributes& attributes) {
  Tensor result = x[0];
  const int axis = normalize_axis(attributes.integer("axis"), result.rank());
  const std::int64_t times = attributes.integer("n");
  if (times < 0) value_error("'n' is ", times, " but must not be negative");
  for (std::int64_t i = 0; i < times && result.shape()[axis] > 0; ++i) {
    const Dim size = result.shape()[axis];
    const Tensor next = ops::slice_axis(result, axis, 1, size);
    const Tensor previous = ops::slice_axis(result, axis, 0, size - 1);
    const bool is_bool = result.dtype() == DType::kBool;
    result = is_bool ? ops::not_equal(next, previous) : ops::subtract(next, previous);
  }
  return {result};
}

// Returns the parts with at least `rank` axes; new axes come first, except behind a vector.
Tensors with_rank(Operands parts, int rank) {
  Tensors result;
  for (const Tensor& part : parts) {
    Shape shape = part.shape();
    while (shape.rank() < rank) shape.insert(0, 1);
    result.push_back(part.reshaped(shape));
  }
  return result;
}
Tensors hstack(Operands parts, const OpAttributes&) {
  const Tensors all = with_rank(parts, 1);
  const bool is_vector = !all.empty() && all.front().rank() == 1;
  return {ops::concatenate(all, is_vector ? 0 : 1)};
}
Tensors vstack(Operands parts, const OpAttributes&) {
  return {ops::concatenate(with_rank(parts, 2), 0)};
}

Tensors ravel(Operands x, const OpAttributes&) { return {x[0].reshaped({x[0].shape().size()})}; }

// Operands: conditions, as many choices, and the default.
Tensors select(Operands operands, const OpAttributes&) {
  const std::size_t count = operands.size() / 2;
  if (operands.size() % 2 == 0 || count == 0) {
    value_error("select needs one choice for each condition, and at least one condition");
  }
  Tensor result = operands.back();
  for (std::size_t i = count; i-- > 0;) {
    result = ops::where(operands[i], operands[count + i], result);
  }
  return {result};
}

Tensors size(Operands x, const OpAttributes&) {
  return {Tensor::scalar(DType::kInt32, static_cast<double>(x[0].size()))};
}

// The diagonals of the matrices along two axes, as the last axis.
Tensor diagonals(const Tensor& x, const OpAttributes& attributes) {
  const int row_axis = normalize_axis(attributes.integer("axis1"), x.rank());
  const int column_axis = normalize_axis(attributes.integer("axis2"), x.rank());
  if (row_axis == column_axis) value_error("axis1 and axis2 are both ", row_axis);
  std::vector<int> order;
  for (int axis = 0; axis < x.rank(); ++axis) {
    if (axis != row_axis && axis != column_axis) order.push_back(axis);
  }
  order.push_back(row_axis);
  order.push_back(column_axis);
  const Tensor matrices = ops::transpose(x, order);
  const Dim rows = x.shape()[row_axis];
  const Dim columns = x.shape()[column_axis];
  const Dim offset = std::clamp<Dim>(attributes.integer("offset"), -rows, columns);
  const Dim length =
      offset < 0 ? std::min(rows + offset, columns) : std::min(rows, columns - offset);
  Tensor places(DType::kInt32, {length});
  std::int32_t next = static_cast<std::int32_t>(offset < 0 ? -offset * columns : offset);
  for (std::int32_t& place : places.mutable_data<std::int32_t>()) {
    place = next;
    next += static_cast<std::int32_t>(columns + 1);
  }
  Shape flat = matrices.shape().first(x.rank() - 2);
  flat.push_back(rows * columns);
  return ops::take(matrices.reshaped(flat), places, -1);
}
Tensors diagonal(Operands x, const OpAttributes& attributes) {
  return {diagonals(x[0], attributes)};
}
Tensors trace(Operands x, const OpAttributes& attributes) {
  return {ops::sum(diagonals(x[0], attributes), -1)};
}

// As in Keras, the classes along the second axis of x, or of a vector, are joined.
Tensors multi_hot(Operands x, const OpAttributes& attributes) {
  Dict settings;
  for (const char* name : {"num_classes", "axis", "dtype"}) settings[name] = attributes.get(name);
  const Tensor each = apply_op1("OneHot", x, settings);
  return {ops::max(each, x[0].rank() > 1 ? 1 : 0)};
}

constexpr OpAttribute kDiffSettings[] = {
    {"n", "number", "Number of times that differences are taken.", false, 1},
    {"axis", "number", "Axis along which neighbours are subtracted.", false, -1}};
constexpr OpAttribute kDiagonalSettings[] = {
    {"offset", "number", "Diagonal: 0: the main one, positive: above it, negative: below it.",
     false, 0},
    {"axis1", "number", "Axis of the rows.", false, 0},
    {"axis2", "number", "Axis of the columns.", false, 1}};
constexpr OpAttribute kMultiHotSettings[] = {
    {"num_classes", "number", "Number of classes: size of the new axis.", true, {}},
    {"axis", "number", "Position of the new axis before the classes are joined.", false, -1},
    {"dtype", "DType", "dtype of the result.", false, "float32"}};

constexpr OpDef kOps[] = {
    {"Diff", "a", kDiffSettings, "Differences of neighbours along an axis.", diff},
    {"Hstack", "xs*", {}, "Joins tensors along the second axis; vectors along the first.", hstack},
    {"Vstack", "xs*", {}, "Joins tensors along the first axis; vectors become rows.", vstack},
    {"Ravel", "x", {}, "Flattens x to a vector.", ravel},
    {"Select",
     "xs*",
     {},
     "For each element, the choice of the first condition that is non-zero, else the default. "
     "Operands: all conditions, all choices, the default.",
     select},
    {"Size", "x", {}, "The number of elements, as an int32 tensor.", size},
    {"Diagonal", "x", kDiagonalSettings, "The diagonals of matrices.", diagonal},
    {"Trace", "x", kDiagonalSettings, "The sums of the diagonals of matrices.", trace},
    {"MultiHot", "inputs", kMultiHotSettings,
     "Multi-hot encoding: 1 at the indices of all classes of a row, 0 elsewhere.", multi_hot},
};
const RegisterOps registration{kOps, "maskflow/train"};

}  // namespace
}  // namespace maskflow
