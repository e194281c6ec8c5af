// SPDX-License-Identifier: MIT
#pragma once

#include "layers/convolution/convolution.hpp"

namespace maskflow {

// The transpose of Conv1D: adds x[t] W[k] to y[t * stride + k * dilation - cut].
class Conv1DTranspose final : public ConvolutionLayer {
 public:
  void describe(Fields& fields) override;
  void check_config() const override;
  [[nodiscard]] Dim output_steps(Dim time) const override;
  // Steps that padding 'same' cuts off at the beginning: half of the excess, rounded down.
  [[nodiscard]] Dim cut() const;

 private:
  // Number of output steps of a single input step, including those that are added and cut off.
  [[nodiscard]] Dim overhang() const;
  [[nodiscard]] Dim output_channels() const override { return filters_; }
  void build_kernels(Dim channels) override;
  Tensor convolve(const Tensor& x, Dim steps, Frame& frame) override;

  int filters_ = 0;
  std::optional<std::vector<int>> output_padding_;
  Initializer kernel_initializer_{"glorot_uniform"};
  VariablePtr kernel_;
};

}  // namespace maskflow
