// SPDX-License-Identifier: MIT
#include "layers/normalization/normalization.hpp"

namespace maskflow {
namespace {

// Zhang and Sennrich 2019: x / sqrt(mean of x^2 + epsilon) * scale over `axis`.
class RmsNormalization final : public SpreadNormalization {
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

 protected:
  [[nodiscard]] kernels::RowScaling scaling() const override {
    return {.spread = kernels::Spread::kMeanSquare, .centred = false};
  }
};

const RegisterLayer<RmsNormalization> registration{
    "RMSNormalization",
    "Divides by the root of the mean square over the given axes; the shape stays. Unlike "
    "LayerNormalization it drops the mask with a warning."};

}  // namespace
}  // namespace maskflow
