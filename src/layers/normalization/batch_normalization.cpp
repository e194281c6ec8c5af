// SPDX-License-Identifier: MIT
#include <cmath>

#include "layers/normalization/normalization.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

struct Moments {
  Tensor mean, variance;
};

Tensor scalar(double x) { return Tensor::scalar(DType::kFloat32, x); }

// Returns mean and variance over the kept positions. Keras adds 1e-7 to the count, so that a fully
// masked batch has mean and variance 0.
Moments moments(const Tensor& x, const MaskPtr& mask, std::span<const Dim> axes) {
  Tensor count = scalar(1);
  Tensor weights = count;
  if (mask) {
    const Tensor keep = ops::expand_dims(ops::cast(mask->values(), DType::kFloat32), -1);
    weights = ops::broadcast_to(keep, x.shape());
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

// Batch normalization (Ioffe and Szegedy 2015). Only training uses the statistics of the batch.
class BatchNormalization final : public NormalizationLayer {
 public:
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("axis", axes_, "Axis of the features, each of which is normalized separately.");
    fields.field("momentum", momentum_,
                 "Share of the moving statistics that remains after a batch.");
    describe_scaling(fields);
    fields.field("moving_mean_initializer", mean_initializer_, "Initializer of the moving mean.");
    fields.field("moving_variance_initializer", variance_initializer_,
                 "Initializer of the moving variance.");
    fields.field("renorm", renorm_,
                 "Batch renormalization (Ioffe 2017): training uses moving statistics, too.");
    fields.field("renorm_clipping", clipping_,
                 TypeScript{"{ rmin?: number; rmax?: number; dmax?: number } | null"},
                 "Bounds { rmin, rmax, dmax } of the correction by renorm; null: unbounded.");
    fields.field("renorm_momentum", renorm_momentum_,
                 "Share of the moving statistics of renorm that remains after a batch.");
    fields.inert(inert_, {"synchronized"});
    fields.ignored({"fused", "virtual_batch_size", "adjustment"});
  }
  void check_config() const override {
    if (axes_.size() != 1) config_error("'axis' has ", axes_.size(), " numbers but must be 1");
    if (clipping_.is_null() || !renorm_) return;
    for (const auto& [name, value] : clipping_.as_dict("renorm_clipping").entries()) {
      if (name == "rmin" || name == "rmax" || name == "dmax") continue;
      config_error("unknown key '", name, "' in 'renorm_clipping'; use rmin, rmax, dmax");
    }
    const auto low = bound("rmin");
    const auto high = bound("rmax");
    if ((low && high && *high < *low) || bound("dmax").value_or(0) < 0) {
      config_error("'renorm_clipping' is ", clipping_,
                   "; rmax must be at least rmin, and dmax at least 0");
    }
  }
  void build(const std::vector<Shape>& inputs) override {
    NormalizationLayer::build(inputs);
    const Shape shape{inputs.front()[axes_.front()]};
    fix_size(axes_.front(), shape[0]);
    mean_ = add_weight("moving_mean", shape, mean_initializer_, false);
    variance_ = add_weight("moving_variance", shape, variance_initializer_, false);
    if (!renorm_) return;
    stddev_ = add_weight("moving_stddev", shape, variance_initializer_, false);
    renorm_mean_ = add_weight("renorm_mean", shape, mean_initializer_, false);
    renorm_stddev_ = add_weight("renorm_stddev", shape, variance_initializer_, false);
    // Both start as the square root of the initial variance, which is 1 by default.
    if (variance_initializer_.class_name() == "Ones") return;
    for (const VariablePtr& weight : {stddev_, renorm_stddev_}) {
      weight->set_value(ops::sqrt(weight->value()));
    }
  }
  [[nodiscard]] bool takes_mask() const override { return true; }
  [[nodiscard]] bool folds_time(bool, const Frame& frame) const override {
    return !trains(frame.training);
  }

  Structure call(const Args& args, Frame& frame) override {
    const Tensor x = ops::cast(args.inputs.front(), DType::kFloat32);
    const MaskPtr mask = args.mask && !args.mask->empty() ? args.mask->front() : nullptr;
    if (mask && mask->shape().rank() != x.rank() - 1) {
      shape_error("the mask has shape ", mask->shape(), " of rank ", mask->shape().rank(),
                  " but must have rank ", x.rank() - 1, " for an input of shape ", x.shape());
    }
    const Shape shape = on_axes(x.shape());
    Moments statistics{placed(*mean_, shape), placed(*variance_, shape)};
    if (trains(frame.training)) {
      std::vector<Dim> axes;
      for (int axis = 0; axis < x.rank(); ++axis) {
        if (axis != normalize_axis(axes_.front(), x.rank())) axes.push_back(axis);
      }
      statistics = moments(x, mask, axes);
      if (renorm_) return {renormalize(x, statistics, shape)};
      update(*mean_, statistics.mean, momentum_);
      update(*variance_, statistics.variance, momentum_);
    }
    return {scale(ops::subtract(x, statistics.mean), statistics.variance, shape)};
  }

 private:
  // Returns whether this call trains. As in Keras, a layer that is not trainable always behaves as
  // in inference.
  [[nodiscard]] bool trains(std::optional<bool> training) const {
    return trainable() && training.value_or(false);
  }
  static void update(Variable& moving, const Tensor& batch, double momentum) {
    moving.set_value(ops::add(ops::multiply(moving.value(), scalar(momentum)),
                              ops::multiply(batch.reshaped(moving.shape()), scalar(1 - momentum))));
  }
  // Normalizes by the moving statistics, as far as the bounds allow: (x - mean) / stddev * r + d,
  // with mean and stddev of the batch. Then scales the result and updates the statistics.
  Tensor renormalize(const Tensor& x, const Moments& batch, const Shape& shape) {
    const Tensor stddev = ops::sqrt(ops::add(batch.variance, scalar(epsilon_)));
    const Tensor moving = ops::maximum(placed(*renorm_stddev_, shape), scalar(std::sqrt(epsilon_)));
    Tensor r = ops::divide(stddev, moving);
    Tensor d = ops::divide(ops::subtract(batch.mean, placed(*renorm_mean_, shape)), moving);
    if (const auto low = bound("rmin")) r = ops::maximum(r, scalar(*low));
    if (const auto high = bound("rmax")) r = ops::minimum(r, scalar(*high));
    if (const auto max = bound("dmax")) {
      d = ops::minimum(ops::maximum(d, scalar(-*max)), scalar(*max));
    }
    // Does not divide yet, because `scale` divides by the standard deviation.
    const Tensor centred =
        ops::add(ops::multiply(ops::subtract(x, batch.mean), r), ops::multiply(d, stddev));
    const Tensor result = scale(centred, batch.variance, shape);
    update(*renorm_mean_, batch.mean, renorm_momentum_);
    update(*renorm_stddev_, stddev, renorm_momentum_);
    update(*mean_, batch.mean, momentum_);
    update(*stddev_, stddev, momentum_);
    const Tensor variance =
        ops::subtract(ops::multiply(stddev_->value(), stddev_->value()), scalar(epsilon_));
    variance_->set_value(ops::maximum(variance, scalar(0)));
    return result;
  }
  [[nodiscard]] std::optional<double> bound(Name name) const {
    const Value* value = clipping_.find(name);
    if (value == nullptr || value->is_null()) return {};
    return value->as_number(name);
  }

  double momentum_ = 0.99;
  bool renorm_ = false;
  Value clipping_;
  double renorm_momentum_ = 0.99;
  Initializer mean_initializer_{"zeros"};
  Initializer variance_initializer_{"ones"};
  VariablePtr mean_, variance_, stddev_, renorm_mean_, renorm_stddev_;
};

const RegisterLayer<BatchNormalization> registration{
    "BatchNormalization",
    "Normalizes each feature by moving statistics; the shape stays the same. In training, "
    "normalizes by the mean and variance of the kept positions of the batch, and updates the "
    "moving statistics. Passes the mask through; masked positions are normalized, too.",
    {.composed = true, .in_tfjs = true}};

}  // namespace
}  // namespace maskflow
