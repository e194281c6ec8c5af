// SPDX-License-Identifier: MIT
// Reductions that leave NaN out, as for series with gaps. A row of NaN alone is empty.
#include <limits>

#include "ops/ops.hpp"

namespace maskflow {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// x with `value` in place of NaN. Integers have none.
Tensor filled(const Tensor& x, double value) {
  if (x.dtype() != DType::kFloat32) return x;
  return ops::where(ops::unary("Isnan", x), ops::number(value), x);
}

// The reduced axes and whether they are kept, as an op with the same settings has them.
struct Reduced {
  explicit Reduced(const OpAttributes& attributes)
      : axes(attributes.get("axis")), keepdims(attributes.flag("keepdims")) {}
  [[nodiscard]] Tensor by(Name op, const Tensor& x) const {
    return ops::reduced(op, x, axes, keepdims);
  }
  ops::Axes axes;
  bool keepdims;
};

Tensor is_number(const Tensor& x) {
  return ops::cast(ops::logical_not(ops::unary("Isnan", x)), DType::kFloat32);
}

Tensors sum(Operands x, const OpAttributes& attributes) {
  return {Reduced(attributes).by("Sum", filled(x[0], 0))};
}
Tensors product(Operands x, const OpAttributes& attributes) {
  return {Reduced(attributes).by("Prod", filled(x[0], 1))};
}

Tensor mean_of(const Tensor& x, const Reduced& reduced) {
  return ops::divide(reduced.by("Sum", filled(x, 0)), reduced.by("Sum", is_number(x)));
}
Tensors mean(Operands x, const OpAttributes& attributes) {
  return {mean_of(x[0], Reduced(attributes))};
}

Tensor variance_of(const Tensor& x, const Reduced& reduced) {
  Reduced kept = reduced;
  kept.keepdims = true;
  const Tensor deviation = ops::subtract(x, mean_of(x, kept));
  // Zeros replace the missing numbers before the square, because the derivative of a squared NaN is
  // NaN. The deviation of a row with an infinity is NaN, and stays.
  const Tensor known = x.dtype() == DType::kFloat32
                           ? ops::where(ops::unary("Isnan", x), ops::number(0), deviation)
                           : deviation;
  const Tensor squares = ops::square(known);
  return ops::divide(reduced.by("Sum", squares), reduced.by("Sum", is_number(x)));
}
Tensors variance(Operands x, const OpAttributes& attributes) {
  return {variance_of(x[0], Reduced(attributes))};
}
// The derivative of rows without variance is 0.
Tensors deviation(Operands x, const OpAttributes& attributes) {
  const Tensor variance = variance_of(x[0], Reduced(attributes));
  const Tensor is_zero = ops::equal(variance, ops::number(0));
  const Tensor root = ops::sqrt(ops::where(is_zero, ops::number(1), variance));
  return {ops::where(is_zero, ops::number(0), root)};
}

// The result for a row without numbers is NaN.
Tensors extreme(Operands x, const OpAttributes& attributes, Name op, double lowest) {
  const Reduced reduced(attributes);
  const Tensor result = reduced.by(op, filled(x[0], lowest));
  if (x[0].dtype() != DType::kFloat32) return {result};
  const Tensor is_empty = ops::equal(reduced.by("Sum", is_number(x[0])), ops::number(0));
  return {ops::where(is_empty, ops::number(std::numeric_limits<double>::quiet_NaN()), result)};
}
Tensors max(Operands x, const OpAttributes& attributes) {
  return extreme(x, attributes, "Max", -kInfinity);
}
Tensors min(Operands x, const OpAttributes& attributes) {
  return extreme(x, attributes, "Min", kInfinity);
}

// The index for a row without numbers is -1.
Tensors index(Operands x, const OpAttributes& attributes, Name op, double lowest) {
  const Reduced reduced(attributes);
  const Tensor result = reduced.by(op, filled(x[0], lowest));
  const Tensor is_empty = ops::equal(reduced.by("Sum", is_number(x[0])), ops::number(0));
  return {ops::where(is_empty, Tensor::scalar(DType::kInt32, -1), result)};
}
Tensors argmax(Operands x, const OpAttributes& attributes) {
  return index(x, attributes, "Argmax", -kInfinity);
}
Tensors argmin(Operands x, const OpAttributes& attributes) {
  return index(x, attributes, "Argmin", kInfinity);
}

Tensor running(const Tensor& x, const OpAttributes& attributes, Name op) {
  Dict settings;
  for (const char* name : {"axis", "dtype"}) settings[name] = attributes.get(name);
  return apply_op1(op, {&x, 1}, settings);
}
Tensors cumsum(Operands x, const OpAttributes& attributes) {
  return {running(filled(x[0], 0), attributes, "Cumsum")};
}
Tensors cumprod(Operands x, const OpAttributes& attributes) {
  return {running(filled(x[0], 1), attributes, "Cumprod")};
}

constexpr OpAttribute kAxes[] = {
    {"axis", "number | number[] | null", "Axis or axes to reduce; null: all.", false, {}},
    {"keepdims", "boolean", "Whether to keep the reduced axes with size 1.", false, false},
};
constexpr OpAttribute kRunningSettings[] = {
    {"axis", "number | null", "Axis to go along; null: x is flattened.", false, {}},
    {"dtype", "DType | null", "dtype of the result; null: that of x.", false, {}}};

constexpr OpDef kOps[] = {
    {"Nansum", "x", kAxes, "The sum of the elements that are not NaN.", sum},
    {"Nanprod", "x", kAxes, "The product of the elements that are not NaN.", product},
    {"Nanmean", "x", kAxes, "The mean of the elements that are not NaN; NaN without any.", mean},
    {"Nanvar", "x", kAxes, "The population variance of the elements that are not NaN.", variance},
    {"Nanstd", "x", kAxes, "The square root of nanvar.", deviation},
    {"Nanmax", "x", kAxes, "The largest element that is not NaN; NaN without any.", max},
    {"Nanmin", "x", kAxes, "The smallest element that is not NaN; NaN without any.", min},
    {"Nanargmax", "x", kAxes, "The index of the largest element that is not NaN; -1 without any.",
     argmax},
    {"Nanargmin", "x", kAxes, "The index of the smallest element that is not NaN; -1 without any.",
     argmin},
    {"Nancumsum", "x", kRunningSettings, "The cumulative sums, with 0 in place of NaN.", cumsum},
    {"Nancumprod", "x", kRunningSettings, "The cumulative products, with 1 in place of NaN.",
     cumprod},
};
const RegisterOps registration{kOps, "maskflow/train"};

}  // namespace
}  // namespace maskflow
