// SPDX-License-Identifier: MIT
#include <algorithm>

#include "layers/normalization/normalization.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

// Group normalization (Wu and He 2018): each group of channels of a sample is normalized over all
// steps, including padding.
class GroupNormalization final : public NormalizationLayer {
 public:
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("groups", groups_,
                 "Number of groups, which must divide the number of channels; -1: one for each "
                 "channel.");
    fields.field("axis", axes_, "Axis of the channels.");
    describe_scaling(fields);
  }
  void check_config() const override {
    if (groups_ <= 0 && groups_ != -1) {
      config_error("'groups' is ", groups_, " but must be at least 1, or -1");
    }
    if (axes_.size() != 1) config_error("'axis' has ", axes_.size(), " numbers but must be 1");
  }
  [[nodiscard]] Streaming streaming(const Shape&) const override { return Streaming::kNever; }
  void build(const std::vector<Shape>& inputs) override {
    channels_ = inputs.front()[axes_.front()];
    if (channels_ == kUnknown) {
      shape_error("the channels of the input ", inputs.front(), " must be known");
    }
    if (channels_ < groups() || channels_ % groups() != 0) {
      config_error("the input has ", channels_, " channels, which ", groups_,
                   " groups do not divide; use a divisor as 'groups'");
    }
    fix_size(axes_.front(), channels_);
    NormalizationLayer::build(inputs);
  }

  Structure call(const Args& args, Frame& /*frame*/) override {
    const Tensor x = ops::cast(args.inputs.front(), DType::kFloat32);
    const int axis = normalize_axis(axes_.front(), x.rank());
    const Tensor parts = x.reshaped(grouped(x.shape(), axis));
    std::vector<Dim> axes;
    for (int a = 1; a < parts.rank(); ++a) {
      if (a != axis) axes.push_back(a);
    }
    const Tensor mean = ops::mean(parts, axes, true);
    const Tensor centred = ops::subtract(parts, mean);
    const Tensor variance = ops::mean(ops::multiply(centred, centred), axes, true);
    const Shape shape = grouped(on_axes(x.shape()), axis);
    const Tensor multiplier = factor(variance, shape);
    // Follows Keras's order of operations, whose rounding shows in a group of equal large numbers.
    const Tensor beta = beta_ ? placed(*beta_, shape) : Tensor::scalar(DType::kFloat32, 0);
    const Tensor shift = ops::subtract(beta, ops::multiply(mean, multiplier));
    return {ops::add(ops::multiply(parts, multiplier), shift).reshaped(x.shape())};
  }

 private:
  [[nodiscard]] Dim groups() const { return groups_ == -1 ? std::max<Dim>(1, channels_) : groups_; }
  // Returns the shape [..., channels, ...] as [..., groups, channels / groups, ...].
  [[nodiscard]] Shape grouped(Shape shape, int axis) const {
    shape.set(axis, shape[axis] / groups());
    shape.insert(axis, groups());
    return shape;
  }

  Dim channels_ = kUnknown;  // Channels of the inputs that the layer was built for.
  int groups_ = 32;
};

const RegisterLayer<GroupNormalization> registration{
    "GroupNormalization",
    "Normalizes groups of channels over all steps; the shape stays the same. Passes the mask "
    "through; masked steps count as data.",
    {.composed = true}};

}  // namespace
}  // namespace maskflow
