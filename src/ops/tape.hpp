// SPDX-License-Identifier: MIT
// Reverse-mode differentiation: a list of what was computed from tracked tensors, in order, walked
// backwards once. Linked by the training module alone.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/scoped_value.hpp"
#include "ops/tracker.hpp"

namespace maskflow {

// Tensors that share storage are one variable. Results are tracked where an input is; the tape
// keeps their storage until it ends, so that a number means one tensor.
class Tape final : public Tracker {
 public:
  // From the cotangents of the results, an empty handle where nothing depends on one, to those of
  // the inputs, an empty handle where there is none.
  using Backward = std::function<Tensors(const Tensors& cotangents)>;

  // `listening` is asked before an op is recorded, if it is given: tracked tensors also meet code
  // that is no part of what is differentiated.
  explicit Tape(bool (*listening)() = nullptr) : listening_(listening) {}
  ~Tape() override;

  // Gradients with respect to this tensor may be asked for. StateError when another tape tracks it.
  void watch(const Tensor& tensor);
  [[nodiscard]] bool tracks(const Tensor& tensor) const {
    return recording_ && tensor.tracker() == this && (listening_ == nullptr || listening_());
  }
  [[nodiscard]] bool tracks_any(std::span<const Tensor> tensors) const;

  Tensors apply(const OpDef& op, Operands operands, const Dict& attributes) override;
  // What was computed elsewhere. Nothing is kept unless an input is tracked.
  void record(std::span<const Tensor> inputs, std::span<const Tensor> results, Backward backward);
  // Runs f with nothing recorded.
  template <class F>
  auto apart(F&& f) {
    const ScopedValue<bool> scope(recording_, false);
    return f();
  }

  // Of one number with respect to tensors that were watched or recorded; an empty handle where it
  // does not depend on them. Once only: what is no longer needed is freed on the way. StateError
  // for a second time, ValueError unless `value` is one number of dtype float32.
  Tensors gradients(const Tensor& value, std::span<const Tensor> of);
  // The same from cotangents of several values; empty handles are left out.
  Tensors gradients(std::span<const Tensor> values, const Tensors& cotangents,
                    std::span<const Tensor> of);

 private:
  struct Node {
    std::vector<std::int32_t> inputs;  // -1: not tracked
    std::vector<std::int32_t> results;
    std::vector<TensorSpec> specs;  // of the results
    Backward backward;
  };
  // What has arrived for one variable.
  struct Cotangent {
    Tensor sum;
    bool own = false;  // no other tensor shares its storage
  };

  [[nodiscard]] std::int32_t number_of(const Tensor& tensor) const;
  std::int32_t track(const Tensor& tensor);
  void add(std::int32_t number, const Tensor& gradient);
  void walk_back(const Node& node);

  bool (*listening_)();
  bool recording_ = true;
  bool used_ = false;
  std::vector<std::shared_ptr<Buffer>> tracked_;
  std::vector<Node> nodes_;
  std::vector<Cotangent> cotangents_;
  std::vector<bool> kept_;  // asked for: not freed on the way
};

}  // namespace maskflow
