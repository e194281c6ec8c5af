// SPDX-License-Identifier: MIT
#pragma once

#include "layers/attention/kept_rows.hpp"
#include "ops/tape.hpp"

namespace maskflow {

// Rows of x, which are its last axis, by number: [rows, width], recorded.
[[nodiscard]] Tensor taken_rows(Tape& tape, const Tensor& x,
                                const std::vector<std::int32_t>& index);
// KeptRows::spread, recorded.
[[nodiscard]] Tensor spread_rows(Tape& tape, const KeptRows& kept, const Tensor& rows,
                                 const Shape& shape);

// Rows of x as they are, not recorded.
[[nodiscard]] Tensor gathered_rows(const Tensor& x, const std::vector<std::int32_t>& index);
// The other way round: zeros of this shape, and the rows added at those numbers.
[[nodiscard]] Tensor added_rows(const Tensor& rows, const std::vector<std::int32_t>& index,
                                const Shape& shape);

}  // namespace maskflow
