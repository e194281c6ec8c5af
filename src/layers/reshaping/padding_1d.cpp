// SPDX-License-Identifier: MIT
#include "layer/data_format.hpp"
#include "layer/layer.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

enum class PaddingKind : std::uint8_t { kPad, kCrop };

// Adds or removes steps at both ends of a sequence.
class Padding1D final : public Layer {
 public:
  explicit Padding1D(PaddingKind kind) : kind_(kind) {}
  void describe(Fields& fields) override {
    Layer::describe(fields);
    if (crops()) {
      fields.field("cropping", ends_,
                   "Steps to remove at the start and at the end; one number for both.");
    } else {
      fields.field("padding", ends_,
                   "Steps of zeros to add before the start and after the end; one number for "
                   "both.");
      fields.field("data_format", data_format_,
                   "'channels_last' [batch, time, features] or 'channels_first'.");
    }
    if (fields.is_reading() && fields.has(setting()) && !fields.value(setting()).is_list()) {
      ends_.push_back(ends_.front());
    }
  }
  void check_config() const override {
    if (ends_.size() != 2) {
      config_error("'", setting(), "' has ", ends_.size(),
                   " numbers but must be one number or a list of 2");
    }
    for (const int end : ends_) {
      if (end < 0) config_error("'", setting(), "' is ", end, " at an end but must be at least 0");
    }
  }

  [[nodiscard]] int rank() const override { return 3; }

  Structure call(const Args& args, Frame& /*frame*/) override {
    const Tensor& x = args.inputs.front();
    const Shape shape = output_specs(args).front().shape;
    const int axis = time_axis();
    if (crops()) return {ops::slice_axis(x, axis, ends_[0], ends_[0] + shape[axis])};
    Tensors parts;
    for (const int end : ends_) {
      Shape zeros = shape;
      zeros.set(axis, end);
      parts.push_back(Tensor::zeros(x.dtype(), zeros));
    }
    parts.insert(parts.begin() + 1, x);
    return {ops::concatenate(parts, axis)};
  }
  OutputSpecs output_specs(const Args& args) override {
    TensorSpec spec = args.inputs.front().spec();
    const Dim time = spec.shape[time_axis()];
    if (time == kUnknown) return {spec};
    const Dim both = Dim{ends_[0]} + ends_[1];
    if (crops() && both >= time) {
      shape_error("cannot remove ", both, " steps from ", spec.shape, ", which has ", time,
                  "; at least one must remain");
    }
    spec.shape.set(time_axis(), crops() ? time - both : time + both);
    return {spec};
  }

 private:
  [[nodiscard]] bool crops() const { return kind_ == PaddingKind::kCrop; }
  [[nodiscard]] const char* setting() const { return crops() ? "cropping" : "padding"; }
  [[nodiscard]] int time_axis() const { return data_format_.channels_first ? 2 : 1; }

  PaddingKind kind_;
  std::vector<int> ends_{1, 1};
  DataFormat data_format_;
};

const RegisterLayer<Padding1D, PaddingKind::kPad> zero_padding{
    "ZeroPadding1D",
    "Adds steps of zeros at both ends: [batch, time, features] becomes [batch, start + time + end, "
    "features]. Drops the mask with a warning.",
    {.composed = true}};
const RegisterLayer<Padding1D, PaddingKind::kCrop> cropping{
    "Cropping1D",
    "Removes steps at both ends: [batch, time, features] becomes [batch, time - start - end, "
    "features]. Drops the mask with a warning.",
    {.composed = true}};

}  // namespace
}  // namespace maskflow
