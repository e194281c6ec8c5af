// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "tensor/plan.hpp"
#include "tensor/tensor.hpp"

namespace maskflow {

// Marks the positions of a tensor that are data (true) and padding (false). Immutable and shared:
// all layers of a stack see the same object and compile it into a SequencePlan once.
class Mask {
 public:
  // Creates a mask from a bool or symbolic tensor. `floats` is the float mask that it was made
  // from, if any.
  explicit Mask(Tensor values, Tensor floats = {});
  [[nodiscard]] const Tensor& values() const { return values_; }
  // Returns the mask in the dtype that the caller passed, because Softmax treats floats
  // differently.
  [[nodiscard]] const Tensor& original() const {
    return floats_.empty_handle() ? values_ : floats_;
  }
  [[nodiscard]] const Shape& shape() const { return values_.shape(); }

  // Returns the plan of a mask [batch, time], [batch, time, 1] or [1, time], which is compiled on
  // the first call. Throws ShapeError for other shapes.
  [[nodiscard]] std::shared_ptr<const SequencePlan> plan(Dim batch, Dim time, bool backwards) const;

 private:
  Tensor values_;
  Tensor floats_;
  mutable std::array<std::shared_ptr<const SequencePlan>, 2> plans_;
};

using Masks = std::vector<MaskPtr>;  // One mask per tensor; null for a tensor without a mask.

// Makes a mask of a tensor of any dtype, where non-zero means keep; null from an empty handle.
[[nodiscard]] MaskPtr make_mask(Tensor values);
[[nodiscard]] Masks masks_of(std::span<const Tensor> tensors);
[[nodiscard]] bool any_mask(const Masks& masks);

}  // namespace maskflow
