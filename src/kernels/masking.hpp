// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace maskflow::kernels {

// Masking in one pass: a row is kept when any element differs from `value` (exactly; NaN always
// differs); the others become zero. `value` has one element for each of `features`.
template <class T>
void mask_steps(const T* x, std::size_t rows, std::size_t features, const T* value, T* out,
                std::uint8_t* keep) {
  for (std::size_t row = 0; row < rows; ++row, x += features, out += features) {
    unsigned differs = 0;
    for (std::size_t i = 0; i < features; ++i) differs |= static_cast<unsigned>(x[i] != value[i]);
    keep[row] = static_cast<std::uint8_t>(differs);
    if (differs != 0) {
      std::copy_n(x, features, out);
    } else {
      std::fill_n(out, features, T{0});
    }
  }
}

}  // namespace maskflow::kernels
