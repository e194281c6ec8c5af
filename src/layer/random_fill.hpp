// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "base/random.hpp"
#include "tensor/shape.hpp"

namespace maskflow {

// A number from the standard normal distribution cut at ±2.
[[nodiscard]] double truncated_normal(Random& random);
// Fills a matrix with `gain` times random orthonormal columns, or rows if they are fewer.
void fill_orthogonal(std::span<float> out, Dim rows, Dim columns, double gain, Random& random);

}  // namespace maskflow
