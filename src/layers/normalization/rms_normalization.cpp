// SPDX-License-Identifier: MIT
#include "layers/normalization/normalization.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

// Zhang and Sennrich 2019: x / sqrt(mean of x^2 + epsilon) * scale over `axis`.
class RmsNormalization final : public NormalizationLayer {
 public:
  RmsNormalization() {
    supports_masking_ = false;
    epsilon_ = 1e-6;
  }
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("axis", axes_, "Axis or axes that are normalised together.");
    fields.field("epsilon", epsilon_, "Added to the mean square.");
  }
  void build(const std::vector<Shape>& inputs) override {
    add_scaling(inputs.front(), true, false, "scale");
  }

  [[nodiscard]] bool each_row_alone() const override { return axes_ == std::vector{-1}; }
  Structure call(const Args& args, Frame& /*frame*/) override {
    const Tensor x = ops::cast(args.inputs.front(), DType::kFloat32);
    const Tensor square = ops::mean(ops::multiply(x, x), sorted_axes(x.rank()), true);
    return {scaled(x, square, on_axes(x.shape()))};
  }
};

const RegisterLayer<RmsNormalization> registration{
    "RMSNormalization",
    "Divides by the root of the mean square over the given axes; the shape stays. Unlike "
    "LayerNormalization it drops the mask with a warning."};

}  // namespace
}  // namespace maskflow
