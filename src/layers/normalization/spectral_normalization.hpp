// SPDX-License-Identifier: MIT
#pragma once

#include "layer/layer.hpp"

namespace maskflow {

// Spectral normalization (Miyato et al. 2018): training divides the kernel of a layer by its
// largest singular value, which is found by power iteration. Otherwise the layer is called
// unchanged.
class SpectralNormalization final : public Layer {
 public:
  void describe(Fields& fields) override;
  void check_config() const override { require_positive("power_iterations", power_iterations_); }
  void build(const std::vector<Shape>& inputs) override;
  Structure call(const Args& args, Frame& frame) override;
  OutputSpecs output_specs(const Args& args) override { return layer_->output_specs(args); }
  [[nodiscard]] std::vector<LayerPtr> sublayers() const override {
    return layer_ ? std::vector<LayerPtr>{layer_} : std::vector<LayerPtr>{};
  }
  // The parts of a call.
  [[nodiscard]] const VariablePtr& kernel() const { return kernel_; }
  void normalize_kernel();
  Structure call_inner(const Args& args, Frame& frame);

 protected:
  // Keras lists the kernel before the vector, because the wrapper holds both.
  void list_weights(WeightList& list) const override;

 private:
  LayerPtr layer_;
  int power_iterations_ = 1;
  VariablePtr kernel_, vector_u_;
};

}  // namespace maskflow
