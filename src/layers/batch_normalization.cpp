// SPDX-License-Identifier: MIT
#include "layers/normalization.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

struct Moments {
  Tensor mean, variance;
};

Tensor scalar(double x) { return Tensor::scalar(DType::kFloat32, x); }

// Over the kept positions. The constant is Keras's: a batch without any has mean and variance 0.
Moments moments(const Tensor& x, const MaskPtr& mask, std::span<const Dim> axes) {
  Tensor count = scalar(1);
  Tensor weights = count;
  if (mask) {
    Dict attributes;
    attributes["shape"] = List(x.shape().dims().begin(), x.shape().dims().end());
    const Tensor keep = ops::expand_dims(ops::cast(mask->values(), DType::kFloat32), -1);
    weights = apply_op1("BroadcastTo", {&keep, 1}, attributes);
    count = ops::add(ops::sum(weights, axes, true), scalar(1e-7));
  }
  const auto average = [&](const Tensor& values) {
    return mask ? ops::divide(ops::sum(ops::multiply(values, weights), axes, true), count)
                : ops::mean(values, axes, true);
  };
  const Tensor mean = average(x);
  const Tensor centred = ops::subtract(x, mean);
  return {mean, average(ops::multiply(centred, centred))};
}

// Ioffe and Szegedy 2015. The statistics of the batch are used, and gathered, only when training.
class BatchNormalization final : public NormalizationLayer {
 public:
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("axis", axes_, "Axis of the features, which are normalised each by itself.");
    fields.field("momentum", momentum_, "How much of the moving statistics a batch leaves.");
    describe_scaling(fields);
    fields.field("moving_mean_initializer", mean_initializer_, "Start of the moving mean.");
    fields.field("moving_variance_initializer", variance_initializer_,
                 "Start of the moving variance.");
    fields.field("renorm", renorm_, "Batch renormalisation; can be used, but not trained, here.");
    fields.inert(inert_, {"synchronized", "renorm_clipping", "renorm_momentum"});
    fields.ignored({"fused", "virtual_batch_size", "adjustment"});
  }
  void check_config() const override {
    if (axes_.size() != 1) config_error("'axis' has ", axes_.size(), " numbers but must be 1");
  }
  void build(const std::vector<Shape>& inputs) override {
    NormalizationLayer::build(inputs);
    const Shape shape{inputs.front()[axes_.front()]};
    mean_ = add_weight("moving_mean", shape, mean_initializer_, false);
    variance_ = add_weight("moving_variance", shape, variance_initializer_, false);
    if (!renorm_) return;
    // Only training reads them; they are here for the order of the weights.
    add_weight("moving_stddev", shape, variance_initializer_, false);
    add_weight("renorm_mean", shape, mean_initializer_, false);
    add_weight("renorm_stddev", shape, variance_initializer_, false);
  }
  [[nodiscard]] bool takes_mask() const override { return true; }
  [[nodiscard]] bool folds_time(bool) const override {
    return !trains(Context::current().training);
  }

  Tensors call(const Args& args) override {
    const Tensor x = ops::cast(args.inputs.front(), DType::kFloat32);
    const MaskPtr mask = args.mask && !args.mask->empty() ? args.mask->front() : nullptr;
    if (mask && mask->shape().rank() != x.rank() - 1) {
      shape_error("the mask has shape ", mask->shape(), " of rank ", mask->shape().rank(),
                  " but must have rank ", x.rank() - 1, " for an input of shape ", x.shape());
    }
    const Shape shape = on_axes(x.shape());
    Moments used{placed(*mean_, shape), placed(*variance_, shape)};
    if (trains(args.training ? args.training : Context::current().training)) {
      if (renorm_) unsupported_error("a layer with 'renorm' cannot be trained; call it without");
      std::vector<Dim> axes;
      for (int axis = 0; axis < x.rank(); ++axis) {
        if (axis != normalize_axis(axes_.front(), x.rank())) axes.push_back(axis);
      }
      used = moments(x, mask, axes);
      update(*mean_, used.mean);
      update(*variance_, used.variance);
    }
    return {scaled(ops::subtract(x, used.mean), used.variance, shape)};
  }

 private:
  // One that is not trainable behaves as in inference, as in Keras.
  [[nodiscard]] bool trains(std::optional<bool> training) const {
    return trainable() && training.value_or(false);
  }
  void update(Variable& moving, const Tensor& batch) const {
    moving.set_value(
        ops::add(ops::multiply(moving.value(), scalar(momentum_)),
                 ops::multiply(batch.reshaped(moving.shape()), scalar(1 - momentum_))));
  }

  double momentum_ = 0.99;
  bool renorm_ = false;
  Initializer mean_initializer_{"zeros"};
  Initializer variance_initializer_{"ones"};
  VariablePtr mean_, variance_;
};

const RegisterLayer<BatchNormalization> registration{
    "BatchNormalization",
    "Normalises each feature by moving statistics; the shape stays. When training, by the mean and "
    "variance of the kept positions of the batch, which then move the statistics. Passes the mask "
    "on; every position is normalised."};

}  // namespace
}  // namespace maskflow
