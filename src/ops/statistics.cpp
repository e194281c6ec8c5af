// SPDX-License-Identifier: MIT
// Weighted means, cumulative products, and the ratio of a signal to noise.
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

Tensors psnr(Operands x, const OpAttributes& attributes) {
  if (x[0].shape() != x[1].shape()) {
    shape_error("x1 has shape ", x[0].shape(), " but x2 has ", x[1].shape(),
                "; the shapes must be equal");
  }
  const auto decibels = [](const Tensor& ratio) {
    return ops::multiply(ops::unary("Log10", ratio), ops::number(10));
  };
  const Tensor signal = decibels(ops::number(attributes.number("max_val")));
  const Tensor difference =
      ops::subtract(ops::cast(x[0], DType::kFloat32), ops::cast(x[1], DType::kFloat32));
  const Tensor noise = decibels(ops::mean(ops::square(difference), {}));
  return {ops::subtract(ops::multiply(signal, ops::number(2)), noise)};
}

constexpr OpAttribute kAverageSettings[] = {
    {"axis", "number | number[] | null", "Axis or axes to reduce; null: all.", false, {}}};
constexpr OpAttribute kCumprodSettings[] = {
    {"axis", "number | null", "Axis along which to multiply; null: x is flattened.", false, {}},
    {"dtype", "DType | null", "dtype of the result; null: that of x.", false, {}}};
constexpr OpAttribute kPsnrSettings[] = {
    {"max_val", "number", "The largest value that a signal can have, above 0.", true, {}}};

constexpr OpDef kOps[] = {
    {"Average", "x weights?", kAverageSettings,
     "The mean, in float32, in which each element counts by its weight. A vector of weights "
     "belongs to the axis.",
     average},
    {"Cumprod", "x", kCumprodSettings, "The cumulative products along an axis.", cumprod},
    {"PSNR", "x1 x2", kPsnrSettings,
     "The peak signal-to-noise ratio in decibels of two signals of one shape: 10 log10(m^2 / e), "
     "where m is their largest possible value and e the mean of (x1 - x2)^2.",
     psnr},
};
const RegisterOps registration{kOps, "maskflow/train"};

}  // namespace
}  // namespace maskflow
