// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/floats.hpp"
#include "rnn/kv_cache.hpp"
#include "rnn/layer_state.hpp"

namespace maskflow {

// What a layer of a stream keeps: tensors, zeros at the beginning.
class StreamState final : public LayerState {
 public:
  Tensor& kept(std::size_t n, const Shape& shape) override {
    moved_ = true;
    return slot(n, shape);
  }
  Tensor with_past(const Tensor& x, Dim count) override;
  RunResult run(RnnCell& cell, const Tensor& x, const MaskPtr& mask, const Tensors& initial,
                const RunOptions& options, Frame& frame) override;
  KvCache& past() override {
    moved_ = true;
    return past_ ? *past_ : past_.emplace();
  }
  // Has it taken part of a step since the last one that came to its end?
  [[nodiscard]] bool has_moved() const { return moved_; }
  void settle() { moved_ = false; }
  // Before anything of the next steps runs: is there room for them? StateError, naming the layer.
  void reserve(Dim steps, const std::string& layer);
  // run_cell() without the states, into `output`; allocates nothing once it has run with these
  // sizes.
  void advance(RnnCell& cell, const Tensor& x, const MaskPtr& mask, const Tensors& initial,
               const RunOptions& options, Frame& frame, Tensor& output);

  [[nodiscard]] Tensors tensors() const { return past_ ? past_->tensors() : tensors_; }
  // ShapeError, naming the layer, unless they are as many, of the same shapes.
  void check(const Tensors& tensors, const std::string& layer) const;
  void set(const Tensors& tensors);
  void reset();

 private:
  Tensor& slot(std::size_t n, const Shape& shape);
  void start(const RnnCell& cell, Dim batch, const Tensors& initial);
  void project(RnnCell& cell, const Tensor& x, std::size_t first, std::size_t steps);
  // One step of all rows, or of those that `keep_` has; what they give goes to the held outputs.
  void step_all(RnnCell& cell, float* projected);
  void step_kept(RnnCell& cell, float* projected);
  [[nodiscard]] Tensor& held() { return tensors_[sizes_.size()]; }

  std::optional<KvCache> past_;  // of attention; then there are no others
  Tensors tensors_;              // of a recurrent layer: its states, its last output, has it begun?
  std::vector<std::size_t> sizes_;
  std::vector<float*> states_;
  std::size_t batch_ = 0;
  bool moved_ = false;
  std::vector<std::int32_t> rows_;  // of the batch, that are kept at this step
  std::vector<std::int32_t> index_;
  kernels::Floats projected_, packed_;
};

}  // namespace maskflow
