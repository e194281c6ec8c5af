// SPDX-License-Identifier: MIT
#include "ops/ops.hpp"

namespace maskflow {
namespace {

double epsilon_of(const OpAttributes& attributes) {
  return attributes.is_null("epsilon") ? 1e-7 : attributes.number("epsilon");
}

// Reshapes a weight with the sizes of the normalized axes so that it broadcasts to x.
Tensor for_axes(const Tensor& weight, const Tensor& x, const OpAttributes& attributes) {
  if (weight.rank() == x.rank()) return weight;
  Shape shape;
  for (int axis = 0; axis < x.rank(); ++axis) shape.push_back(1);
  for (const Dim dim : attributes.integers("axis")) {
    const int axis = normalize_axis(dim, x.rank());
    shape.set(axis, x.shape()[axis]);
  }
  if (shape.size() != weight.shape().size()) return weight;
  return weight.reshaped(shape);
}

// x divided by the root of the mean square, or of the variance, along the axes.
Tensor scaled(const Tensor& x, const Tensor& variance, const OpAttributes& attributes) {
  const Tensor root = ops::rsqrt(ops::add(variance, ops::number(epsilon_of(attributes))));
  return ops::multiply(x, root);
}

Tensors layer_norm(Operands operands, const OpAttributes& attributes) {
  const Tensor x = ops::cast(operands[0], DType::kFloat32);
  const ops::Axes axes(attributes.get("axis"));
  const Tensor centered = ops::subtract(x, ops::mean(x, axes, true));
  const Tensor variance = ops::mean(ops::square(centered), axes, true);
  const bool keeps_mean = attributes.flag("rms_scaling");
  Tensor result = scaled(keeps_mean ? x : centered, variance, attributes);
  if (const Tensor* gamma = optional_operand(operands, 1)) {
    result = ops::multiply(result, for_axes(*gamma, x, attributes));
  }
  const Tensor* const beta = optional_operand(operands, 2);
  if (beta != nullptr && !keeps_mean) result = ops::add(result, for_axes(*beta, x, attributes));
  return {ops::cast(result, operands[0].dtype())};
}

Tensors rms_norm(Operands operands, const OpAttributes& attributes) {
  const Tensor x = ops::cast(operands[0], DType::kFloat32);
  const ops::Axes axes(attributes.get("axis"));
  Tensor result = scaled(x, ops::mean(ops::square(x), axes, true), attributes);
  if (const Tensor* scale = optional_operand(operands, 1)) {
    result = ops::multiply(result, for_axes(*scale, x, attributes));
  }
  return {ops::cast(result, operands[0].dtype())};
}

constexpr OpAttribute kAxis = {"axis", "number | number[]", "Axis or axes of the features.", false,
                               -1};
constexpr OpAttribute kEpsilon = {
    "epsilon", "number | null", "Number added to the mean square; null: 1e-7.", false, {}};
constexpr OpAttribute kLayerNormSettings[] = {
    kAxis,
    kEpsilon,
    {"rms_scaling", "boolean",
     "Argument of Keras: divides x by the deviation and does not subtract the mean.", false,
     false}};
constexpr OpAttribute kRmsNormSettings[] = {kAxis, kEpsilon};

constexpr OpDef kOps[] = {
    {"LayerNorm", "x gamma? beta?", kLayerNormSettings,
     "Subtracts the mean and divides by the standard deviation along the axes, then multiplies by "
     "gamma and adds beta.",
     layer_norm},
    {"RMSNorm", "x scale?", kRmsNormSettings,
     "Divides by the root of the mean square along the axes, then multiplies by `scale`.",
     rms_norm},
};
const RegisterOps registration{kOps, "maskflow"};

}  // namespace
}  // namespace maskflow
