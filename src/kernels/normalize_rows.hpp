// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace maskflow::kernels {

enum class Spread { kVariance, kMeanSquare };

struct RowScaling {
  Spread spread = Spread::kVariance;
  bool centred = true;  // subtract the mean before scaling
  float epsilon = 0;
  const float* gamma = nullptr;  // null: ones
  const float* beta = nullptr;   // null: zeros
};

// out = x / sqrt(spread + epsilon) * gamma + beta for each row of `width` numbers, with x minus the
// mean of its row if `centred` (Ba, Kiros and Hinton 2016; Zhang and Sennrich 2019). Operations and
// their order are those of the ops, so the bits are the same. `out` may be x.
void normalize_rows(const float* x, std::size_t rows, std::size_t width, const RowScaling& scaling,
                    float* out);

}  // namespace maskflow::kernels
