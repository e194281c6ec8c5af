// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace maskflow::kernels {

// A row (step) is kept when any of its `features` elements differs from `value`, which has one for
// each; exactly, and NaN always differs. `out`, unless it is null, gets the rows, zeros for those
// that are not kept.
void mask_steps(const float* x, std::size_t rows, std::size_t features, const float* value,
                float* out, std::uint8_t* keep);
void mask_steps(const std::int32_t* x, std::size_t rows, std::size_t features,
                const std::int32_t* value, std::int32_t* out, std::uint8_t* keep);

// keep |= row; whether the row has a true one.
[[nodiscard]] bool add_kept(const std::uint8_t* row, std::size_t n, std::uint8_t* keep);

}  // namespace maskflow::kernels
