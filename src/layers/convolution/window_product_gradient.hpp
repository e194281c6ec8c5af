// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "tensor/tensor.hpp"

namespace maskflow {

// The gradients of a WindowProduct, whose result had the cotangent g: rows of all filters, one for
// each of `first`. Both are added to; a null `dx` is not asked for.
struct WindowProductGradient {
  const Tensor& kernel;  // [taps, channels / groups, filters]
  Dim dilation;
  std::size_t groups;

  void operator()(const float* x, std::span<const std::int32_t> first, const float* g, float* dx,
                  float* dkernel) const;
};

}  // namespace maskflow
