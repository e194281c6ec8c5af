// SPDX-License-Identifier: MIT
#include "layers/normalization/normalization.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

// Ba, Kiros and Hinton 2016: (x - mean) / sqrt(variance + epsilon) * gamma + beta over `axis`.
class LayerNormalization final : public NormalizationLayer {
 public:
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("axis", axes_, "Axis or axes that are normalised together.");
    describe_scaling(fields);
    fields.field("rms_scaling", rms_scaling_,
                 "Of older configurations: x gamma / sqrt(variance + epsilon), nothing else.");
  }
  void build(const std::vector<Shape>& inputs) override {
    add_scaling(inputs.front(), scale_ || rms_scaling_, center_ && !rms_scaling_);
  }

  [[nodiscard]] bool each_row_alone() const override { return axes_ == std::vector{-1}; }
  Structure call(const Args& args, Frame& /*frame*/) override {
    const Tensor x = ops::cast(args.inputs.front(), DType::kFloat32);
    const std::vector<Dim> axes = sorted_axes(x.rank());
    const Tensor centred = ops::subtract(x, ops::mean(x, axes, true));
    const Tensor variance = ops::mean(ops::multiply(centred, centred), axes, true);
    return {scaled(rms_scaling_ ? x : centred, variance, on_axes(x.shape()))};
  }

 private:
  bool rms_scaling_ = false;
};

const RegisterLayer<LayerNormalization> registration{
    "LayerNormalization",
    "Normalises each sample over the given axes; the shape stays. Passes the mask on; computes "
    "every step."};

}  // namespace
}  // namespace maskflow
