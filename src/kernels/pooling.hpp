// SPDX-License-Identifier: MIT
// Rows of numbers reduced to one row: what all pooling over time is made of.
#pragma once

#include <cstddef>
#include <cstdint>

namespace maskflow::kernels {

// out[i] = the sum of x[row][i] over the rows that `keep` does not leave out (null: all).
void sum_rows(const float* x, std::size_t rows, std::size_t width, const std::uint8_t* keep,
              float* out);

// out[i] = the largest x[row][i], NaN if one is; -infinity without rows.
void max_rows(const float* x, std::size_t rows, std::size_t width, float* out);

}  // namespace maskflow::kernels
