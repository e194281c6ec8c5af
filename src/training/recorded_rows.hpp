// SPDX-License-Identifier: MIT
#pragma once

#include "layer/distinct_rows.hpp"
#include "ops/tape.hpp"

namespace maskflow {

// distinct_rows() for inputs that the tape tracks. The distinct rows of a tracked input are tracked
// too, so that the backward pass computes each of them once. Returns nothing if a tracked input was
// not computed by selecting rows: its positions need cotangents of their own.
[[nodiscard]] std::optional<DistinctRows> distinct_rows(Tape& tape, const Tensors& inputs);

}  // namespace maskflow
