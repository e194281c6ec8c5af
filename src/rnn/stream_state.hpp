// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/floats.hpp"
#include "rnn/kv_cache.hpp"
#include "rnn/layer_state.hpp"

namespace maskflow {

// The state of a layer of a stream: float tensors, which are zero at the beginning, or the keys and
// values of attention.
class StreamState final : public LayerState {
 public:
  Tensor& tensor(std::size_t n, const Shape& shape) override {
    moved_ = true;
    return slot(n, shape);
  }
  Tensor with_past(const Tensor& x, Dim count) override;
  RunResult run(RnnCell& cell, const Tensor& x, const MaskPtr& mask, const Tensors& initial,
                const RunOptions& options, Frame& frame) override;
  KvCache& kv_cache() override {
    moved_ = true;
    return kv_cache_ ? *kv_cache_ : kv_cache_.emplace();
  }
  // Whether the layer has used its state since the last settle(). The state is then valid only if
  // the whole step of the stream succeeds.
  [[nodiscard]] bool has_moved() const { return moved_; }
  void settle() { moved_ = false; }
  // Makes room for further steps before any layer runs them. Throws StateError, naming the layer,
  // if there are too many.
  void reserve(Dim steps, const std::string& layer);
  // Does the work of run() without returning the states. Writes to `output`, and allocates nothing
  // if it has run before with these sizes. Each step moves the states in place: all rows at once,
  // or the kept rows as the first lanes. run_cell() would create a plan and buffers for each call.
  void advance(RnnCell& cell, const Tensor& x, const MaskPtr& mask, const Tensors& initial,
               const RunOptions& options, Frame& frame, Tensor& output);

  [[nodiscard]] Tensors tensors() const { return kv_cache_ ? kv_cache_->tensors() : tensors_; }
  // Throws ShapeError, naming the layer, unless `tensors` has the shapes of tensors().
  void check(const Tensors& tensors, const std::string& layer) const;
  void set(const Tensors& tensors);
  void reset();

 private:
  Tensor& slot(std::size_t n, const Shape& shape);
  void start(RnnCell& cell, Dim batch, const Tensors& given, Frame& frame);
  // Projects `steps` steps of all rows, beginning with step `first`, step after step.
  void project(RnnCell& cell, const Tensor& x, std::size_t first, std::size_t steps);
  // Runs one step of all rows, or of kept_rows_, and updates last_output().
  void step_all(RnnCell& cell, float* projected);
  void step_kept(RnnCell& cell, float* projected);
  [[nodiscard]] Tensor& last_output() { return tensors_[sizes_.size()]; }

  std::optional<KvCache> kv_cache_;  // The keys and values of attention, which has no tensors_.
  // The tensors of a recurrent layer: states, last output, and 1 once an initial state has been
  // used.
  Tensors tensors_;
  std::vector<std::size_t> sizes_;
  std::vector<float*> states_;
  std::size_t batch_ = 0;
  bool moved_ = false;
  std::vector<std::int32_t> kept_rows_;  // Rows of the batch that are kept at this step.
  std::vector<std::int32_t> index_;
  kernels::Floats projected_, packed_;
};

}  // namespace maskflow
