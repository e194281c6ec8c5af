// SPDX-License-Identifier: MIT
#include "layers/normalization/normalization.hpp"

namespace maskflow {
namespace {

// Layer normalization (Ba, Kiros and Hinton 2016): (x - mean) / sqrt(variance + epsilon) * gamma +
// beta over `axis`.
class LayerNormalization final : public SpreadNormalization {
 public:
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("axis", axes_, "Axis or axes that are normalized together.");
    describe_scaling(fields);
    fields.field("rms_scaling", rms_scaling_,
                 "From configs of older versions: x * gamma / sqrt(variance + epsilon) instead.");
  }
  void build(const std::vector<Shape>& inputs) override {
    const std::vector<Dim> axes = sorted_axes(inputs.front().rank());
    if (axes.size() < axes_.size()) {
      shape_error("'axis' has ", axes_.size(), " numbers but they are ", axes.size(),
                  " axes of the input ", inputs.front(), "; list each axis once");
    }
    add_scaling(inputs.front(), scale_ || rms_scaling_, center_ && !rms_scaling_);
  }

 protected:
  [[nodiscard]] kernels::RowScaling scaling() const override {
    return {.spread = kernels::Spread::kVariance, .centred = !rms_scaling_};
  }

 private:
  bool rms_scaling_ = false;
};

const RegisterLayer<LayerNormalization> registration{
    "LayerNormalization",
    "(x - mean) / sqrt(variance + epsilon) * gamma + beta, with mean and variance over the given "
    "axes of each sample; the shape stays the same. Passes the mask through; masked steps are "
    "normalized, too.",
    {.in_tfjs = true}};

}  // namespace
}  // namespace maskflow
