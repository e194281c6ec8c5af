// SPDX-License-Identifier: MIT
#include <algorithm>

#include "ops/ops.hpp"
#include "ops/sorting.hpp"

namespace maskflow {
namespace {

// Moves the reduced axes to the end and joins them.
Tensor with_rows(const Tensor& x, const OpAttributes& attributes, Shape& keepdims) {
  const std::vector<bool> reduced = listed_axes(x.rank(), attributes);
  std::vector<int> order;
  Shape shape;
  Dim length = 1;
  for (const bool is_reduced : {false, true}) {
    for (int axis = 0; axis < x.rank(); ++axis) {
      if (reduced[at(axis)] != is_reduced) continue;
      order.push_back(axis);
      if (is_reduced) length *= x.shape()[axis];
      if (!is_reduced) shape.push_back(x.shape()[axis]);
    }
  }
  for (int axis = 0; axis < x.rank(); ++axis) {
    keepdims.push_back(reduced[at(axis)] ? 1 : x.shape()[axis]);
  }
  shape.push_back(length);
  return ops::transpose(x, order).reshaped(shape);
}

void check_probabilities(const Tensor& q) {
  if (q.rank() > 1) shape_error("q has shape ", q.shape(), " but must be a number or a vector");
  for (const float probability : q.data<float>()) {
    if (probability >= 0 && probability <= 1) continue;
    value_error("a quantile is ", probability, " but must be 0 to 1");
  }
}

// Returns the value between two elements. Counts from the nearer one, as numpy does, so that an
// infinite element has as little effect as there.
Tensor between(const Tensor& lower, const Tensor& upper, const Tensor& share) {
  const Tensor gap = ops::subtract(upper, lower);
  const Tensor rest = ops::subtract(ops::number(1), share);
  return ops::where(ops::less(share, ops::number(0.5)), ops::add(lower, ops::multiply(gap, share)),
                    ops::subtract(upper, ops::multiply(gap, rest)));
}

// Positions in a row of sorted elements; a share of one that is between two belongs to the upper.
struct Places {
  Tensor lower;
  Tensor upper;
  Tensor share;
};
// `last` is the position of the last element, of each row or of all.
Places places_of(const Tensor& q, const Tensor& last, const std::string& method) {
  if (!has_word("linear lower higher midpoint nearest", method)) {
    value_error("'method' is '", method,
                "' but must be 'linear', 'lower', 'higher', 'midpoint' or 'nearest'");
  }
  Tensor position = ops::multiply(q, last);
  if (method == "nearest") position = ops::round(position);
  if (method == "lower") position = ops::unary("Floor", position);
  if (method == "higher") position = ops::unary("Ceil", position);
  const Tensor lower = ops::unary("Floor", position);
  const Tensor upper = ops::unary("Ceil", position);
  const Tensor share = method == "midpoint"
                           ? ops::multiply(ops::subtract(upper, lower), ops::number(0.5))
                           : ops::subtract(position, lower);
  return {ops::cast(lower, DType::kInt32), ops::cast(upper, DType::kInt32), share};
}

Tensor quantiles(const Tensor& operand, const Tensor& probability, const OpAttributes& attributes,
                 const std::string& method) {
  const Tensor q = ops::cast(probability, DType::kFloat32);
  check_probabilities(q);
  Shape keepdims;
  const Tensor rows = with_rows(ops::cast(operand, DType::kFloat32), attributes, keepdims);
  const Dim length = rows.shape().back();
  if (length == 0) value_error("cannot reduce an axis of size 0");
  const int axis = rows.rank() - 1;
  const Tensor sorted = take_along(rows, sorting_order(rows, axis, false), axis);
  const Places places = places_of(q, ops::number(static_cast<double>(length - 1)), method);
  Tensor result = ops::take(sorted, places.lower, axis);
  if (!has_word("lower higher nearest", method)) {
    result = between(result, ops::take(sorted, places.upper, axis), places.share);
  }
  // A NaN is the last element of its row.
  Tensor last = ops::slice_axis(sorted, axis, length - 1, length);
  if (q.rank() == 0) last = ops::squeeze(last, axis);
  result = ops::where(ops::equal(last, last), result, last);
  if (q.rank() == 1) result = ops::move_axis(result, -1, 0);
  if (!attributes.flag("keepdims")) return result;
  if (q.rank() == 1) keepdims.insert(0, q.shape()[0]);
  return result.reshaped(keepdims);
}

// As above, but each row has its own number of elements, because NaN is left out.
Tensor nan_quantiles(const Tensor& operand, const Tensor& probability,
                     const OpAttributes& attributes, const std::string& method) {
  const Tensor q = ops::cast(probability, DType::kFloat32);
  check_probabilities(q);
  Shape keepdims;
  const Tensor rows = with_rows(ops::cast(operand, DType::kFloat32), attributes, keepdims);
  if (rows.shape().back() == 0) value_error("cannot reduce an axis of size 0");
  const int axis = rows.rank() - 1;
  const Tensor sorted = take_along(rows, sorting_order(rows, axis, false), axis);
  const Tensor is_number = ops::logical_not(ops::unary("Isnan", sorted));
  const Tensor count = ops::sum(ops::cast(is_number, DType::kFloat32), axis, true);
  // A row of NaN alone has the last position 0, where it is NaN.
  const Tensor last = ops::maximum(ops::subtract(count, ops::number(1)), ops::number(0));
  const Places places = places_of(q.rank() == 0 ? q.reshaped({1}) : q, last, method);
  Tensor result = take_along(sorted, places.lower, axis);
  if (!has_word("lower higher nearest", method)) {
    result = between(result, take_along(sorted, places.upper, axis), places.share);
  }
  result = q.rank() == 0 ? ops::squeeze(result, axis) : ops::move_axis(result, -1, 0);
  if (!attributes.flag("keepdims")) return result;
  if (q.rank() == 1) keepdims.insert(0, q.shape()[0]);
  return result.reshaped(keepdims);
}

std::string method_of(const OpAttributes& attributes) {
  return attributes.get("method").as_string("method");
}

Tensors quantile(Operands x, const OpAttributes& attributes) {
  return {quantiles(x[0], x[1], attributes, method_of(attributes))};
}
Tensors percentile(Operands x, const OpAttributes& attributes) {
  return {quantiles(x[0], ops::divide(x[1], ops::number(100)), attributes, method_of(attributes))};
}
Tensors median(Operands x, const OpAttributes& attributes) {
  return {quantiles(x[0], ops::number(0.5), attributes, "linear")};
}
Tensors nan_quantile(Operands x, const OpAttributes& attributes) {
  return {nan_quantiles(x[0], x[1], attributes, method_of(attributes))};
}
Tensors nan_percentile(Operands x, const OpAttributes& attributes) {
  const Tensor q = ops::divide(x[1], ops::number(100));
  return {nan_quantiles(x[0], q, attributes, method_of(attributes))};
}
Tensors nan_median(Operands x, const OpAttributes& attributes) {
  return {nan_quantiles(x[0], ops::number(0.5), attributes, "linear")};
}

constexpr OpAttribute kAxes = {
    "axis", "number | number[] | null", "Axis or axes to reduce; null: all.", false, {}};
constexpr OpAttribute kKeepdims = {"keepdims", "boolean",
                                   "Whether to keep the reduced axes with size 1.", false, false};
constexpr OpAttribute kMethod = {"method", "'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest'",
                                 "The result where the position is between two elements.", false,
                                 "linear"};
constexpr OpAttribute kQuantileSettings[] = {kAxes, kMethod, kKeepdims};
constexpr OpAttribute kMedianSettings[] = {kAxes, kKeepdims};

constexpr OpDef kOps[] = {
    {"Quantile", "x q", kQuantileSettings,
     "The value below which a share q of the elements lies, in float32. q is a number or a vector.",
     quantile},
    {"Percentile", "x q", kQuantileSettings, "As quantile, with q in percent.", percentile},
    {"Median", "x", kMedianSettings,
     "The middle of the sorted elements, or the mean of the two in the middle.", median},
    {"Nanquantile", "x q", kQuantileSettings, "As quantile, without the elements that are NaN.",
     nan_quantile},
    {"Nanpercentile", "x q", kQuantileSettings, "As percentile, without the elements that are NaN.",
     nan_percentile},
    {"Nanmedian", "x", kMedianSettings, "As median, without the elements that are NaN.",
     nan_median},
};
const RegisterOps registration{kOps, "maskflow/train"};

}  // namespace
}  // namespace maskflow
