// SPDX-License-Identifier: MIT
#pragma once

#include "tensor/tensor.hpp"

namespace maskflow {

// Discrete Fourier transform along the last axis of the complex numbers (real, imaginary), of one
// shape: sums of x_j e^(sign i 2 pi j k / n), with a sign of -1 or 1, not divided by n.
[[nodiscard]] Tensors fourier_transform(const Tensor& real, const Tensor& imaginary, double sign);

}  // namespace maskflow
