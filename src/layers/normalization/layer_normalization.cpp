// SPDX-License-Identifier: MIT
#include "layers/normalization/normalization.hpp"

namespace maskflow {
namespace {

// Ba, Kiros and Hinton 2016: (x - mean) / sqrt(variance + epsilon) * gamma + beta over `axis`.
class LayerNormalization final : public SpreadNormalization {
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

 protected:
  [[nodiscard]] kernels::RowScaling scaling() const override {
    return {.spread = kernels::Spread::kVariance, .centred = !rms_scaling_};
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
