// SPDX-License-Identifier: MIT
// What an op needs to know of reverse-mode differentiation: that somebody records it. The tape
// itself is linked by the training module alone.
#pragma once

#include "ops/op.hpp"

namespace maskflow {

// Records what is computed from the tensors that it tracks. An op finds it through its operands, so
// that nothing about it is global.
class Tracker {
 public:
  Tracker() = default;
  virtual ~Tracker() = default;
  Tracker(const Tracker&) = delete;
  Tracker& operator=(const Tracker&) = delete;
  // Computes the op and records it.
  virtual Tensors apply(const OpDef& op, Operands operands, const Dict& attributes) = 0;
};

// Of the first operand that has one, or null.
[[nodiscard]] inline Tracker* tracker_of(Operands operands) {
  for (const Tensor& tensor : operands) {
    if (Tracker* tracker = tensor.tracker()) return tracker;
  }
  return nullptr;
}

// The op itself, recorded by nobody; its operands are numbers.
Tensors compute_op(const OpDef& op, Operands operands, const Dict& attributes);

}  // namespace maskflow
