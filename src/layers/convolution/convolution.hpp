// SPDX-License-Identifier: MIT
#pragma once

#include "layers/convolution/window.hpp"
#include "layers/convolution/window_product.hpp"

namespace maskflow {

// The base of layers that move a kernel over time: [batch, time, channels] to
// [batch, steps, filters], or both with channels first.
class ConvolutionLayer : public Layer {
 public:
  void check_config() const override { window_.check(); }
  void build(const std::vector<Shape>& inputs) override;
  [[nodiscard]] int rank() const override { return 3; }
  Structure call(const Args& args, Frame& frame) override;
  OutputSpecs output_specs(const Args& args) override;

  [[nodiscard]] const Window& window() const { return window_; }
  [[nodiscard]] const Activation& activation() const { return activation_; }
  // Converts between the layer's data format and channels last, in either direction.
  [[nodiscard]] Tensor swapped(const Tensor& x) const;
  [[nodiscard]] virtual Dim output_steps(Dim time) const { return window_.output_steps(time); }
  // Computes the convolution with the bias and without the activation, channels last.
  virtual Tensor convolve(const Tensor& x, Dim steps, Frame& frame) = 0;

 protected:
  // Describes the settings of activation, bias and training.
  void describe_result(Fields& fields);
  [[nodiscard]] virtual Dim output_channels() const = 0;
  // Creates the weights except the bias.
  virtual void build_kernels(Dim channels) = 0;
  [[nodiscard]] const float* bias() const { return bias_ ? bias_->data() : nullptr; }
  [[nodiscard]] kernels::Start start() const {
    return bias_ ? kernels::Start::kBias : kernels::Start::kZero;
  }

  Window window_;
  Dim channels_ = kUnknown;  // Channels of the input that the layer was built for.

 private:
  Activation activation_{"linear"};
  bool use_bias_ = true;
  Initializer bias_initializer_{"zeros"};
  VariablePtr bias_;
};

}  // namespace maskflow
