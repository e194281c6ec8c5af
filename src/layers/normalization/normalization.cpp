// SPDX-License-Identifier: MIT
#include "layers/normalization/normalization.hpp"

#include <algorithm>

#include "ops/ops.hpp"

namespace maskflow {

Dict NormalizationLayer::get_config() {
  Dict config = Layer::get_config();
  if (axes_.size() == 1) config["axis"] = axes_.front();
  return config;
}

void NormalizationLayer::describe_scaling(Fields& fields) {
  fields.field("epsilon", epsilon_, "Number added to the variance.");
  fields.field("center", center_, "Add the weight beta.");
  fields.field("scale", scale_, "Multiply by the weight gamma.");
  fields.field("beta_initializer", beta_initializer_, "Initializer of beta.");
  fields.field("gamma_initializer", gamma_initializer_, "Initializer of gamma.");
  fields.inert(inert_,
               {"beta_regularizer", "gamma_regularizer", "beta_constraint", "gamma_constraint"});
}

void NormalizationLayer::build(const std::vector<Shape>& inputs) {
  add_scaling(inputs.front(), scale_, center_);
}

void NormalizationLayer::add_scaling(const Shape& input, bool scale, bool center,
                                     const char* gamma) {
  Shape shape;
  for (const Dim axis : sorted_axes(input.rank())) shape.push_back(input[static_cast<int>(axis)]);
  if (scale) gamma_ = add_weight(gamma, shape, gamma_initializer_);
  if (center) beta_ = add_weight("beta", shape, beta_initializer_);
}

Streaming NormalizationLayer::streaming(const Shape& input) const {
  return each_step_unless(std::ranges::count(sorted_axes(input.rank()), 1) > 0);
}

OutputSpecs NormalizationLayer::output_specs(const Args& args) {
  const Shape& shape = args.inputs.front().shape();
  // Throws for an axis that the input does not have, even if no weight has its size.
  (void)sorted_axes(shape.rank());
  return {{shape, DType::kFloat32}};
}

std::vector<Dim> NormalizationLayer::sorted_axes(int rank) const {
  std::vector<Dim> axes;
  for (int axis = 0; axis < rank; ++axis) {
    const auto is_axis = [&](int a) { return normalize_axis(a, rank) == axis; };
    if (std::ranges::any_of(axes_, is_axis)) axes.push_back(axis);
  }
  return axes;
}

Shape NormalizationLayer::on_axes(const Shape& input) const {
  Shape shape;
  for (int axis = 0; axis < input.rank(); ++axis) shape.push_back(1);
  for (const Dim axis : sorted_axes(input.rank())) {
    shape.set(static_cast<int>(axis), input[static_cast<int>(axis)]);
  }
  return shape;
}

void NormalizationLayer::check_size(const Variable& weight, const Shape& shape) {
  if (weight.shape().size() != shape.size()) {
    shape_error("the layer was built for axes of size ", weight.shape(),
                " but those of the input are ", shape);
  }
}

Tensor NormalizationLayer::placed(const Variable& weight, const Shape& shape) {
  check_size(weight, shape);
  return weight.value().reshaped(shape);
}

Tensor NormalizationLayer::factor(const Tensor& spread, const Shape& shape) const {
  const Tensor shifted = ops::add(spread, Tensor::scalar(DType::kFloat32, epsilon_));
  const Tensor inverse = ops::rsqrt(shifted);
  return gamma_ ? ops::multiply(inverse, placed(*gamma_, shape)) : inverse;
}

Tensor NormalizationLayer::scale(const Tensor& x, const Tensor& spread, const Shape& shape) const {
  const Tensor result = ops::multiply(x, factor(spread, shape));
  return beta_ ? ops::add(result, placed(*beta_, shape)) : result;
}

}  // namespace maskflow
