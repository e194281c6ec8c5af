// SPDX-License-Identifier: MIT
#include "layer/layer.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

// Parametric ReLU (He et al. 2015): the slope below 0 is a weight.
class PReLU final : public Layer {
 public:
  PReLU() { supports_masking_ = true; }
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("alpha_initializer", alpha_initializer_, "Initializer of the slopes.");
    fields.field("shared_axes", shared_axes_,
                 "Axes that share a slope, numbered from 1 (after the batch); null: none.");
    fields.inert(inert_, {"alpha_regularizer", "alpha_constraint"});
  }
  void build(const std::vector<Shape>& inputs) override {
    Shape shape = inputs.front().from(1);
    if (shared_axes_) {
      // Axes are numbered from 1. As in Keras, a negative axis counts from the end of the shape
      // without the batch, less one: -1 is the last but one.
      for (const int axis : *shared_axes_) shape.set(normalize_axis(axis - 1, shape.rank()), 1);
    }
    alpha_ = add_weight("alpha", shape, alpha_initializer_);
  }
  [[nodiscard]] Streaming streaming(const Shape&) const override {
    return each_step_unless(alpha_->shape()[0] != 1);
  }
  [[nodiscard]] int min_rank() const override { return 2; }

  Structure call(const Args& args, Frame& /*frame*/) override {
    const Tensor x = ops::cast(args.inputs.front(), DType::kFloat32);
    const Tensor& slopes = alpha_->value();
    if (!broadcasts_to(slopes.shape(), x.shape().from(1))) {
      shape_error("the layer has slopes ", slopes.shape(), " but the input has shape ", x.shape());
    }
    const Tensor above = ops::greater(x, Tensor::scalar(DType::kFloat32, 0));
    return {ops::where(above, x, ops::multiply(x, slopes))};
  }
  OutputSpecs output_specs(const Args& args) override {
    return {{args.inputs.front().shape(), DType::kFloat32}};
  }

 private:
  Initializer alpha_initializer_{"zeros"};
  std::optional<std::vector<int>> shared_axes_;
  VariablePtr alpha_;
};

const RegisterLayer<PReLU> registration{
    "PReLU",
    "x above 0, alpha * x below. Each element of a sample has its own weight alpha. Passes the "
    "mask through.",
    {.composed = true, .in_tfjs = true}};

}  // namespace
}  // namespace maskflow
