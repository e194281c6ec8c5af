// SPDX-License-Identifier: MIT
// Weighted means, cumulative products and normalization.
#include <algorithm>

#include "ops/ops.hpp"

namespace maskflow {
namespace {

// Weights in a vector belong to the reduced axis, as in NumPy.
Tensors average(Operands x, const OpAttributes& attributes) {
  const ops::Axes axes(attributes.get("axis"));
  const Tensor values = ops::cast(x[0], DType::kFloat32);
  const Tensor* const weights = optional_operand(x, 1);
  if (weights == nullptr) return {ops::mean(values, axes)};
  Tensor each = ops::cast(*weights, DType::kFloat32);
  if (each.rank() == 1 && values.rank() > 1 && !attributes.is_null("axis")) {
    Shape shape = each.shape();
    const int axis = normalize_axis(attributes.integer("axis"), values.rank());
    while (shape.rank() < values.rank() - axis) shape.push_back(1);
    each = each.reshaped(shape);
  }
  const Tensor total = ops::sum(ops::broadcast_to(each, values.shape()), axes);
  return {ops::divide(ops::sum(ops::multiply(values, each), axes), total)};
}

template <class T>
Tensor running_products(const Tensor& x, int axis) {
  const std::size_t inner = x.shape().elements_between(axis + 1, x.rank());
  const std::size_t length = x.shape().length(axis);
  Tensor result = Tensor::from<T>(x.shape(), x.data<T>());
  const std::span<T> out = result.mutable_data<T>();
  // Integers wrap; a signed overflow would be undefined.
  using Product = std::conditional_t<std::is_same_v<T, float>, float, std::uint32_t>;
  for (std::size_t i = inner; i < out.size(); ++i) {
    if (i / inner % length == 0) continue;
    out[i] = static_cast<T>(static_cast<Product>(out[i]) * static_cast<Product>(out[i - inner]));
  }
  return result;
}

Tensors cumprod(Operands operands, const OpAttributes& attributes) {
  const bool flat = attributes.is_null("axis");
  Tensor x = flat ? operands[0].reshaped({operands[0].shape().size()}) : operands[0];
  if (!attributes.is_null("dtype")) x = ops::cast(x, attributes.dtype("dtype"));
  const int axis = flat ? 0 : normalize_axis(attributes.integer("axis"), x.rank());
  if (x.dtype() == DType::kFloat32) return {running_products<float>(x, axis)};
  return {running_products<std::int32_t>(ops::cast(x, DType::kInt32), axis)};
}

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

constexpr OpAttribute kAverageSettings[] = {
    {"axis", "number | number[] | null", "Axis or axes to reduce; null: all.", false, {}}};
constexpr OpAttribute kCumprodSettings[] = {
    {"axis", "number | null", "Axis along which to multiply; null: x is flattened.", false, {}},
    {"dtype", "DType | null", "dtype of the result; null: that of x.", false, {}}};
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
    {"Average", "x weights?", kAverageSettings,
     "The mean, in float32, in which each element counts by its weight. A vector of weights "
     "belongs to the axis.",
     average},
    {"Cumprod", "x", kCumprodSettings, "The cumulative products along an axis.", cumprod},
    {"LayerNorm", "x gamma? beta?", kLayerNormSettings,
     "Subtracts the mean and divides by the standard deviation along the axes, then multiplies by "
     "gamma and adds beta.",
     layer_norm},
    {"RMSNorm", "x scale?", kRmsNormSettings,
     "Divides by the root of the mean square along the axes, then multiplies by `scale`.",
     rms_norm},
};
const RegisterOps registration{kOps, true};

}  // namespace
}  // namespace maskflow
