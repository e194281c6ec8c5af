// SPDX-License-Identifier: MIT
#include "layers/normalization/normalization.hpp"

namespace maskflow {
namespace {

// Root mean square normalization (Zhang and Sennrich 2019): x / sqrt(mean(x^2) + epsilon) * scale
// over `axis`.
class RmsNormalization final : public SpreadNormalization {
 public:
  RmsNormalization() {
    supports_masking_ = false;
    epsilon_ = 1e-6;
  }
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("axis", axes_, "Axis or axes that are normalized together.");
    fields.field("epsilon", epsilon_, "Number added to the mean square.");
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
    "x / sqrt(mean(x^2) + epsilon) * scale, with the mean over the given axes of each sample; the "
    "shape stays the same. Unlike LayerNormalization, it drops the mask with a warning."};

}  // namespace
}  // namespace maskflow
