// SPDX-License-Identifier: MIT
// Derivatives of ops, for reverse-mode differentiation. A table entry per op, beside the op's file
// in <file>_gradient.cpp; the training module alone links them.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "ops/op.hpp"

namespace maskflow {

// A call of an op as it was recorded.
struct RecordedOp {
  const OpDef& op;
  Tensors operands;
  Dict attributes;
  Tensors results;
  std::vector<bool> needs;  // which operands' gradients are asked for

  [[nodiscard]] OpAttributes settings() const { return {op, attributes}; }
};

// From the cotangents of the results (of their shapes) to those of the operands; an empty handle
// where none is needed. A gradient may still have the shape that its operand was broadcast to.
using OpRule = Tensors (*)(const RecordedOp& call, const Tensors& cotangents);

struct OpGradient {
  std::string_view name;
  // Null: the op is written in other ops, which have gradients of their own.
  OpRule rule = nullptr;
};

// `const RegisterOpGradients registration{kGradients};` at namespace scope.
class RegisterOpGradients {
 public:
  explicit RegisterOpGradients(std::span<const OpGradient> gradients);

 private:
  friend const OpGradient* find_op_gradient(std::string_view name);
  std::span<const OpGradient> gradients_;
  const RegisterOpGradients* next_;
};
// Null for an op that has none.
[[nodiscard]] const OpGradient* find_op_gradient(std::string_view name);

// Adds a gradient up over the axes along which an operand of this shape was broadcast.
[[nodiscard]] Tensor unbroadcast(const Tensor& gradient, const Shape& shape);

}  // namespace maskflow
