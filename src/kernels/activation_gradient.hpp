// SPDX-License-Identifier: MIT
// Derivatives of the pointwise activation functions. Those of whole rows are in
// ops/activation_gradient.cpp.
#pragma once

#include "kernels/activation.hpp"

namespace maskflow::kernels {

// to[i] = g[i] times the derivative at x[i], where the function returned y[i]. `to` may be g.
using ActivationSlope = void (*)(const float* x, const float* y, const float* g, float* to,
                                 std::size_t n, const ActivationParameters& p);

// The derivative of the function with Keras's name; null for a function of a whole row.
[[nodiscard]] ActivationSlope activation_slope(std::string_view name);

}  // namespace maskflow::kernels
