// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "tensor/tensor.hpp"

namespace maskflow {

// Adds the gradients of a WindowProduct to dx (unless null) and dkernel. `g` is the cotangent of
// its result: a row of all filters for each entry of `first`.
struct WindowProductGradient {
  const Tensor& kernel;  // [taps, channels / groups, filters]
  Dim dilation;
  std::size_t groups;

  void operator()(const float* x, std::span<const std::int32_t> first, const float* g, float* dx,
                  float* dkernel) const;
};

}  // namespace maskflow
