// SPDX-License-Identifier: MIT
// Convolution over time by its definition, in double precision.
#pragma once

#include "tensor/tensor.hpp"

namespace maskflow::test {

struct NaiveWindow {
  int stride = 1;
  int dilation = 1;
  int groups = 1;
  std::string padding = "valid";
};

// Convolves x [batch, time, channels] with a kernel [taps, channels / groups, filters]; the bias
// has the shape [filters] or is an empty handle.
[[nodiscard]] Tensor naive_conv(const Tensor& x, const Tensor& kernel, const Tensor& bias,
                                const NaiveWindow& window);
// Transposes [batch, time, channels] to [batch, channels, time] and back.
[[nodiscard]] Tensor swapped(const Tensor& x);

}  // namespace maskflow::test
