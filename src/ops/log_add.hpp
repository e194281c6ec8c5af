// SPDX-License-Identifier: MIT
// Sums of probabilities by their logarithms.
#pragma once

#include <cmath>
#include <limits>
#include <utility>

namespace maskflow {

// The logarithm of 0: what never happens.
inline constexpr double kLogZero = -std::numeric_limits<double>::infinity();

// Returns log(exp(a) + exp(b)).
inline double log_add(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == kLogZero ? a : a + std::log1p(std::exp(b - a));
}

}  // namespace maskflow
