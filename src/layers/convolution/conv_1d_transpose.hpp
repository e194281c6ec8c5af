// SPDX-License-Identifier: MIT
#pragma once

#include "layers/convolution/convolution.hpp"

namespace maskflow {

// Conv1D the other way round: step t of the input is added to the steps t * stride + k * dilation -
// cut of the output, times W[k].
class Conv1DTranspose final : public ConvolutionLayer {
 public:
  void describe(Fields& fields) override;
  void check_config() const override;
  [[nodiscard]] Dim output_steps(Dim time) const override;
  // Steps cut off at the beginning with padding 'same': half of what is too much, rounded down.
  [[nodiscard]] Dim cut() const;

 private:
  // Steps beyond the first that a single step of the input makes, with all that is added and cut.
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
