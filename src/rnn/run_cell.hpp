// SPDX-License-Identifier: MIT
// The only loop over time: runs a cell along a SequencePlan.
#pragma once

#include "rnn/cell.hpp"
#include "tensor/plan.hpp"
#include "tensor/tensor.hpp"

namespace maskflow {

struct RunOptions {
  bool return_sequences = false;
  bool zero_output_for_mask = false;
};

struct RunResult {
  Tensor output;  // [batch, time, units] in processing order, or [batch, units]
  Tensors states;
};

// x: [batch, time, features...], flattened to rows; `initial`: one [batch, size] tensor per state,
// or none for zeros.
RunResult run_cell(RnnCell& cell, const Tensor& x, const SequencePlan& plan, const Tensors& initial,
                   const RunOptions& options, Frame& frame);

}  // namespace maskflow
