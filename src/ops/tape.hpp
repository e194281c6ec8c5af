// SPDX-License-Identifier: MIT
// Reverse-mode differentiation: records computations from tracked tensors, and walks the record
// backwards once. Only the training module links it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "base/scoped_value.hpp"
#include "ops/tracker.hpp"

namespace maskflow {

// Tensors that share storage are one variable. A result is tracked if an input is. The tape keeps
// the storage of tracked tensors while it lives, so that each number belongs to one tensor.
class Tape final : public Tracker {
 public:
  // Computes the cotangents of the inputs from those of the results. An empty handle marks a result
  // on which the value does not depend, and an input without a gradient.
  using Backward = std::function<Tensors(const Tensors& cotangents)>;

  // Ops are recorded only while `is_active` returns true, if it is not null: tracked tensors are
  // also used by code outside of the differentiated function.
  explicit Tape(bool (*is_active)() = nullptr) : is_active_(is_active) {}
  ~Tape() override;

  // Tracks a tensor, so that gradients with respect to it can be computed. Throws ValueError unless
  // it is a float32 tensor with data, and StateError if another tape tracks it.
  void watch(const Tensor& tensor);
  [[nodiscard]] bool tracks(const Tensor& tensor) const {
    return recording_ && tensor.tracker() == this && (is_active_ == nullptr || is_active_());
  }
  [[nodiscard]] bool tracks_any(std::span<const Tensor> tensors) const;

  Tensors apply(const OpDef& op, Operands operands, const Dict& attributes) override;
  // The rows that select_rows() has selected, as the tape remembers them.
  struct Selection {
    Tensor table;
    std::vector<std::int32_t> index;
  };
  // Returns the rows of `table` (float32; its last axis is a row) with these indices, and records
  // the selection. `shape` is the shape of the result.
  Tensor select_rows(const Tensor& table, std::vector<std::int32_t> index, const Shape& shape);
  // Remembers that the tracked tensor `rows` was computed by selecting rows of a table.
  void record_selection(const Tensor& table, std::vector<std::int32_t> index, const Tensor& rows);
  // Returns how a tensor was selected. Null if it was computed in another way, or not recorded.
  [[nodiscard]] const Selection* selection_of(const Tensor& tensor) const;
  // Records a computation other than an op. Does nothing unless an input is tracked.
  void record(std::span<const Tensor> inputs, std::span<const Tensor> results, Backward backward);
  // Runs f without recording.
  template <class F>
  auto unrecorded(F&& f) {
    const ScopedValue<bool> scope(recording_, false);
    return f();
  }

  // Returns the gradients of one number with respect to watched or recorded tensors; an empty
  // handle for a tensor on which it does not depend. Frees the record on the way, so it can be
  // called only once. Throws StateError for a second call, and ValueError unless `value` is one
  // float32 number.
  Tensors gradients(const Tensor& value, std::span<const Tensor> variables);
  // Returns gradients from the cotangents of several values. Empty handles are ignored.
  Tensors gradients(std::span<const Tensor> values, const Tensors& cotangents,
                    std::span<const Tensor> variables);

 private:
  struct Node {
    // Numbers of the inputs; -1 for a tensor that is not tracked.
    std::vector<std::int32_t> inputs;
    // Numbers of the results; -1 for a tensor that is not tracked.
    std::vector<std::int32_t> results;
    std::vector<TensorSpec> specs;  // Specs of the results.
    Backward backward;
  };
  // The sum of the cotangents of a variable so far.
  struct Cotangent {
    Tensor sum;
    bool is_owned = false;  // Whether no other tensor shares its storage.
  };

  [[nodiscard]] std::int32_t number_of(const Tensor& tensor) const;
  std::int32_t track(const Tensor& tensor);
  void add(std::int32_t number, const Tensor& gradient);
  void propagate(const Node& node);

  bool (*is_active_)();
  bool recording_ = true;
  bool used_ = false;
  std::vector<std::shared_ptr<Buffer>> tracked_;
  std::map<std::int32_t, std::shared_ptr<const Selection>> selections_;  // by number
  std::vector<Node> nodes_;
  std::vector<Cotangent> cotangents_;
  // By number, whether a gradient was requested, so that it must not be freed on the way.
  std::vector<bool> is_requested_;
};

// Adds rows to zeros of `shape` at `index`: the gradient of a table from that of its rows.
[[nodiscard]] Tensor scatter_rows(const Tensor& rows, const std::vector<std::int32_t>& index,
                                  const Shape& shape);

}  // namespace maskflow
