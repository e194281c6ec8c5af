// SPDX-License-Identifier: MIT
// Runs a cell along a SequencePlan: the loop over time of whole sequences. Training wraps the cell
// in one that records its steps (rnn/run_cell_gradient). Streams step by rnn/stream_state.
#pragma once

#include <memory>
#include <vector>

#include "rnn/cell.hpp"
#include "tensor/plan.hpp"
#include "tensor/tensor.hpp"

namespace maskflow {

// Steps are projected in blocks of about this many rows: enough for the matrix product to run at
// full speed, few enough to be still in the cache when the steps read them.
inline constexpr std::size_t kProjectedRows = 64;

class RunsTogether;

struct RunOptions {
  bool return_sequences = false;
  bool zero_output_for_mask = false;
  bool final_states = true;  // Whether the result has them.
  // Runs of independent cells. A run that threads divide waits there after its first step.
  RunsTogether* together = nullptr;
};

struct RunResult {
  Tensor output;  // The output, [batch, time, units] in processing order, or [batch, units].
  Tensors states;
};

// Runs the cell. x is [batch, time, features...]; each step is flattened to one row. `initial`
// holds one [batch, size] tensor per state, or nothing for zeros.
RunResult run_cell(RnnCell& cell, const Tensor& x, const SequencePlan& plan, const Tensors& initial,
                   const RunOptions& options, Frame& frame);

class WaitingRun;

// Runs of cells that do not depend on each other, such as the two directions of Bidirectional.
// Threads run the steps of all of them in one region.
class RunsTogether {
 public:
  RunsTogether();
  ~RunsTogether();
  RunsTogether(const RunsTogether&) = delete;
  RunsTogether& operator=(const RunsTogether&) = delete;

  // Runs the first step. The output has its numbers after finish().
  Tensor begin(RnnCell& cell, const Tensor& x, const SequencePlan& plan, const Tensors& initial,
               const RunOptions& options, Frame& frame);
  // Runs all other steps of the runs that wait.
  void finish();

 private:
  std::vector<std::unique_ptr<WaitingRun>> runs_;
};

// Copies rows of `width` floats from the order of the batch to that of the lanes.
void copy_to_lanes(const SequencePlan& plan, std::size_t width, const float* rows, float* lanes);
// Returns lanes of `width` floats in the order of the batch, [batch, width].
[[nodiscard]] Tensor rows_of_lanes(const SequencePlan& plan, std::size_t width, const float* lanes);

}  // namespace maskflow
