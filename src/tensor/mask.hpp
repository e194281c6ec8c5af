// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "tensor/plan.hpp"
#include "tensor/tensor.hpp"

namespace maskflow {

// Which positions of a tensor are data: true = keep. Immutable and shared, so a stack of layers on
// one batch sees the same object and compiles it into a SequencePlan once.
class Mask {
 public:
  // `values`: a bool tensor, or a symbolic one; `given`: the floats that it was made of, if so.
  explicit Mask(Tensor values, Tensor given = {});
  [[nodiscard]] const Tensor& values() const { return values_; }
  // As it was given: Softmax has a rule of its own for floats.
  [[nodiscard]] const Tensor& given() const { return given_.empty_handle() ? values_ : given_; }
  [[nodiscard]] const Shape& shape() const { return values_.shape(); }

  // For a [batch, time] mask; [batch, time, 1] and [1, time] are read as that too (ShapeError for
  // other shapes, with both of them in the message).
  [[nodiscard]] std::shared_ptr<const SequencePlan> plan(Dim batch, Dim time, bool backwards) const;

 private:
  Tensor values_;
  Tensor given_;
  mutable std::array<std::shared_ptr<const SequencePlan>, 2> plans_;
};

using Masks = std::vector<MaskPtr>;  // one per tensor, null where there is none

[[nodiscard]] MaskPtr make_mask(Tensor values);  // any dtype: non-zero = keep; no handle: null
[[nodiscard]] Masks masks_of(std::span<const Tensor> tensors);
[[nodiscard]] bool any_mask(const Masks& masks);

}  // namespace maskflow
