// SPDX-License-Identifier: MIT
// Weighted means and cumulative products.
#include <algorithm>
#include <functional>

#include "ops/ops.hpp"
#include "ops/running.hpp"

namespace maskflow {
namespace {

// Weights in a vector belong to the reduced axis, as in NumPy.
Tensors average(Operands x, const OpAttributes& attributes) {
  const ops::Axes axes(attributes.get("axis"));
  const Tensor values = ops::cast(x[0], DType::kFloat32);
  const Tensor* const weights = optional_operand(x, 1);
  if (weights == nullptr) return {ops::mean(values, axes)};
  Tensor each = ops::cast(*weights, DType::kFloat32);
  if (attributes.is_null("axis") && each.shape() != values.shape()) {
    shape_error("weights have shape ", each.shape(), " but x has ", values.shape(),
                "; without 'axis', the shapes must be equal");
  }
  if (each.rank() == 1 && values.rank() > 1 && !attributes.is_null("axis")) {
    Shape shape = each.shape();
    const int axis = normalize_axis(attributes.integer("axis"), values.rank());
    while (shape.rank() < values.rank() - axis) shape.push_back(1);
    each = each.reshaped(shape);
  }
  const Tensor total = ops::sum(ops::broadcast_to(each, values.shape()), axes);
  return {ops::divide(ops::sum(ops::multiply(values, each), axes), total)};
}

Tensors cumprod(Operands operands, const OpAttributes& attributes) {
  return {ops::running<std::multiplies<>>(operands[0], attributes)};
}

constexpr OpAttribute kAverageSettings[] = {
    {"axis", "number | number[] | null", "Axis or axes to reduce; null: all.", false, {}}};
constexpr OpAttribute kCumprodSettings[] = {
    {"axis", "number | null", "Axis along which to multiply; null: x is flattened.", false, {}},
    {"dtype", "DType | null", "dtype of the result; null: that of x.", false, {}}};

constexpr OpDef kOps[] = {
    {"Average", "x weights?", kAverageSettings,
     "The mean, in float32, in which each element counts by its weight. A vector of weights "
     "belongs to the axis.",
     average},
    {"Cumprod", "x", kCumprodSettings, "The cumulative products along an axis.", cumprod},
};
const RegisterOps registration{kOps, "maskflow/train"};

}  // namespace
}  // namespace maskflow
