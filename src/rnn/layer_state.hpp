// SPDX-License-Identifier: MIT
#pragma once

#include "ops/frame.hpp"
#include "rnn/run_cell.hpp"

namespace maskflow {

class KvCache;

// The state that one layer of a stream carries from step to step. It is an interface, because a
// module may lack streams.
class LayerState {
 public:
  LayerState() = default;
  virtual ~LayerState() = default;
  LayerState(const LayerState&) = delete;
  LayerState& operator=(const LayerState&) = delete;

  // Returns the n-th tensor of the state, floats that are zero at the beginning of a stream. The
  // first request creates it with this shape. A request that creates a tensor invalidates earlier
  // references.
  virtual Tensor& tensor(std::size_t n, const Shape& shape) = 0;
  // Returns x, [batch, steps, features], preceded by the last `count` steps before it, or by
  // zeros before the first.
  virtual Tensor with_past(const Tensor& x, Dim count) = 0;
  // Continues a sequence: returns what run_cell() returns at these steps of the whole sequence.
  // `initial` is used by the first call only.
  virtual RunResult run(RnnCell& cell, const Tensor& x, const MaskPtr& mask, const Tensors& initial,
                        const RunOptions& options, Frame& frame) = 0;
  // Returns the keys and values of attention.
  virtual KvCache& kv_cache() = 0;
};

}  // namespace maskflow
