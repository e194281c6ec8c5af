// SPDX-License-Identifier: MIT
#pragma once

#include "layers/attention/kept_rows.hpp"
#include "ops/tape.hpp"

namespace maskflow {

// Returns the rows of x at `index`, [rows, width], and records this on the tape.
[[nodiscard]] Tensor gather_rows(Tape& tape, const Tensor& x,
                                 const std::vector<std::int32_t>& index);
// Computes KeptRows::spread and records it on the tape.
[[nodiscard]] Tensor spread_rows(Tape& tape, const KeptRows& kept, const Tensor& rows,
                                 const Shape& shape);

}  // namespace maskflow
