// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace maskflow::kernels {

// Masking in one pass: a row is kept when any element differs from `value` (exactly; NaN always
// differs); the others become zero. `value` has one element for each of `features`.
void mask_steps(const float* x, std::size_t rows, std::size_t features, const float* value,
                float* out, std::uint8_t* keep);
void mask_steps(const std::int32_t* x, std::size_t rows, std::size_t features,
                const std::int32_t* value, std::int32_t* out, std::uint8_t* keep);

}  // namespace maskflow::kernels
