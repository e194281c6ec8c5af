// SPDX-License-Identifier: MIT
// Reduces rows of numbers to one row, for pooling over time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace maskflow::kernels {

// out[i] = the sum of x[row][i] over the rows with keep[row] != 0; over all rows if `keep` is null.
void sum_rows(const float* x, std::size_t rows, std::size_t width, const std::uint8_t* keep,
              float* out);

// out[i] = the largest x[row][i]; NaN if one of them is NaN; -infinity if there are no rows.
void max_rows(const float* x, std::size_t rows, std::size_t width, float* out);

}  // namespace maskflow::kernels
