// SPDX-License-Identifier: MIT
// The interface between ops and reverse-mode differentiation. The tape that implements it is linked
// by the training module only.
#pragma once

#include "ops/op.hpp"

namespace maskflow {

// Records computations with the tensors that it tracks. Ops find it through their operands, so that
// it need not be global.
class Tracker {
 public:
  Tracker() = default;
  virtual ~Tracker() = default;
  Tracker(const Tracker&) = delete;
  Tracker& operator=(const Tracker&) = delete;
  // Computes the op and records it.
  virtual Tensors apply(const OpDef& op, Operands operands, const Dict& attributes) = 0;
};

// Returns the tracker of the first operand that has one, or null.
[[nodiscard]] inline Tracker* tracker_of(Operands operands) {
  for (const Tensor& tensor : operands) {
    if (Tracker* tracker = tensor.tracker()) return tracker;
  }
  return nullptr;
}

// Computes the op without recording it. No operand may be symbolic.
Tensors compute_op(const OpDef& op, Operands operands, const Dict& attributes);

}  // namespace maskflow
