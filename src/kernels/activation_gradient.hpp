// SPDX-License-Identifier: MIT
// Derivatives of the activation functions of each element; those of a whole row are in
// ops/activation_gradient.cpp.
#pragma once

#include "kernels/activation.hpp"

namespace maskflow::kernels {

// g[i] times the derivative at x[i], where the function is y[i]; `to` may be g.
using ActivationSlope = void (*)(const float* x, const float* y, const float* g, float* to,
                                 std::size_t n, const ActivationParameters& p);

// By Keras's name; null for a function of a whole row.
[[nodiscard]] ActivationSlope activation_slope(std::string_view name);

}  // namespace maskflow::kernels
