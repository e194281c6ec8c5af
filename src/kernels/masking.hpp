// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace maskflow::kernels {

// Marks a row (step) as kept if one of its `features` elements differs from the same element of
// `value`. The comparison is exact, and NaN always differs. Unless `out` is null, copies the kept
// rows there and writes zeros for the masked ones.
void mask_steps(const float* x, std::size_t rows, std::size_t features, const float* value,
                float* out, std::uint8_t* keep);
void mask_steps(const std::int32_t* x, std::size_t rows, std::size_t features,
                const std::int32_t* value, std::int32_t* out, std::uint8_t* keep);

// keep |= row. Returns whether an element of the row is true.
[[nodiscard]] bool add_kept(const std::uint8_t* row, std::size_t n, std::uint8_t* keep);

}  // namespace maskflow::kernels
