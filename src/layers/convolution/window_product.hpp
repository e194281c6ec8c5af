// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "layer/variable.hpp"

namespace maskflow {

// Computes products of windows with a kernel [taps, channels / groups, filters].
class WindowProduct {
 public:
  WindowProduct(VariablePtr kernel, Dim dilation, std::size_t groups);
  // out[i] = start + sum over k of x[first[i] + k * dilation] kernel[k], where x[row] has all
  // channels. With groups, `start` must not be kAccumulate.
  void operator()(const float* x, std::span<const std::int32_t> first, kernels::Start start,
                  const float* bias, float* out);

 private:
  VariablePtr kernel_;
  Dim dilation_;
  std::size_t groups_;
};

}  // namespace maskflow
