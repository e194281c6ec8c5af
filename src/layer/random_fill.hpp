// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "base/random.hpp"
#include "tensor/shape.hpp"

namespace maskflow {

// From the normal distribution cut at two standard deviations.
[[nodiscard]] double truncated_normal(Random& random);
// `gain` times random orthonormal columns, or rows where there are more columns than rows.
void fill_orthogonal(std::span<float> out, Dim rows, Dim columns, double gain, Random& random);

}  // namespace maskflow
