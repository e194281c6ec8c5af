// SPDX-License-Identifier: MIT
// What one layer of a stream keeps of the steps that have been, for those that come.
#pragma once

#include "ops/frame.hpp"
#include "rnn/run_cell.hpp"

namespace maskflow {

class KvCache;

// An interface, because a module may lack streams.
class LayerState {
 public:
  LayerState() = default;
  virtual ~LayerState() = default;
  LayerState(const LayerState&) = delete;
  LayerState& operator=(const LayerState&) = delete;

  // The n-th tensor of floats that the layer keeps; zeros at the beginning of a stream. Stays
  // where it is until one is asked for that was not there.
  virtual Tensor& kept(std::size_t n, const Shape& shape) = 0;
  // x, [batch, steps, features], with the `count` steps before it; zeros before the first.
  virtual Tensor with_past(const Tensor& x, Dim count) = 0;
  // Like run_cell on a sequence that goes on. `initial` counts at the first step alone.
  virtual RunResult run(RnnCell& cell, const Tensor& x, const MaskPtr& mask, const Tensors& initial,
                        const RunOptions& options, Frame& frame) = 0;
  // Keys and values that grow step by step (rnn/kv_cache.hpp).
  virtual KvCache& past() = 0;
};

}  // namespace maskflow
