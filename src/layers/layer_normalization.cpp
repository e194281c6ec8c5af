// SPDX-License-Identifier: MIT
#include <algorithm>

#include "layers/layer.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

// Ba, Kiros and Hinton 2016: (x - mean) / sqrt(variance + epsilon) * gamma + beta over `axis`.
class LayerNormalization final : public Layer {
 public:
  LayerNormalization() { supports_masking_ = true; }
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("axis", axes_, "Axis or axes that are normalised together.");
    fields.field("epsilon", epsilon_, "Added to the variance.");
    fields.field("center", center_, "Add the weight beta?");
    fields.field("scale", scale_, "Multiply by the weight gamma?");
    fields.field("beta_initializer", beta_initializer_, "Start of beta.");
    fields.field("gamma_initializer", gamma_initializer_, "Start of gamma.");
    fields.inert(inert_,
                 {"beta_regularizer", "gamma_regularizer", "beta_constraint", "gamma_constraint"});
    fields.ignored({"rms_scaling"});
  }
  void build(const std::vector<Shape>& inputs) override {
    Shape shape;
    for (const Dim axis : sorted_axes(inputs.front().rank())) {
      shape.push_back(inputs.front()[static_cast<int>(axis)]);
    }
    if (scale_) gamma_ = add_weight("gamma", shape, gamma_initializer_);
    if (center_) beta_ = add_weight("beta", shape, beta_initializer_);
  }
  Tensors call(const Args& args) override {
    const Tensor x = ops::cast(args.inputs.front(), DType::kFloat32);
    const std::vector<Dim> axes = sorted_axes(x.rank());
    const Tensor centred = ops::subtract(x, ops::mean(x, axes, true));
    const Tensor variance = ops::mean(ops::multiply(centred, centred), axes, true);
    const Tensor shifted = ops::add(variance, Tensor::scalar(DType::kFloat32, epsilon_));
    Tensor result = ops::multiply(centred, apply_op1("Rsqrt", {&shifted, 1}));
    if (scale_) result = ops::multiply(result, along_axes(gamma_->value(), x.shape()));
    if (center_) result = ops::add(result, along_axes(beta_->value(), x.shape()));
    return {result};
  }
  [[nodiscard]] Dict get_config() override {
    Dict config = Layer::get_config();
    if (axes_.size() == 1) config["axis"] = axes_.front();
    return config;
  }

 private:
  [[nodiscard]] std::vector<Dim> sorted_axes(int rank) const {
    std::vector<Dim> axes;
    std::array<bool, kMaxRank> chosen{};
    for (const int axis : axes_)
      chosen[static_cast<std::size_t>(normalize_axis(axis, rank))] = true;
    for (int axis = 0; axis < rank; ++axis) {
      if (chosen[static_cast<std::size_t>(axis)]) axes.push_back(axis);
    }
    return axes;
  }
  // A weight with size 1 on all other axes.
  [[nodiscard]] Tensor along_axes(const Tensor& weight, const Shape& input) const {
    Shape shape;
    const std::vector<Dim> axes = sorted_axes(input.rank());
    for (int axis = 0; axis < input.rank(); ++axis) {
      shape.push_back(std::ranges::find(axes, axis) == axes.end() ? 1 : input[axis]);
    }
    return weight.reshaped(shape);
  }

  std::vector<int> axes_{-1};
  double epsilon_ = 1e-3;
  bool center_ = true;
  bool scale_ = true;
  Initializer beta_initializer_{"zeros"};
  Initializer gamma_initializer_{"ones"};
  VariablePtr gamma_, beta_;
};

const RegisterLayer<LayerNormalization> registration{
    "LayerNormalization",
    "Normalises each sample over the given axes. Passes the mask on; computes every step."};

}  // namespace
}  // namespace maskflow
