// SPDX-License-Identifier: MIT
// Derivatives of ops, for reverse-mode differentiation. Each is a table entry in
// <file>_gradient.cpp beside the file of the op. Only the training module links them.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "ops/op.hpp"

namespace maskflow {

// A recorded call of an op.
struct RecordedOp {
  const OpDef& op;
  Tensors operands;
  Dict attributes;
  Tensors results;
  std::vector<bool> needs;  // Whether the gradient of each operand is needed.

  [[nodiscard]] OpAttributes settings() const { return {op, attributes}; }
};

// Computes the cotangents of the operands from those of the results; an empty handle where none is
// needed. A gradient may have the shape to which its operand was broadcast.
using OpRule = Tensors (*)(const RecordedOp& call, const Tensors& cotangents);

struct OpGradient {
  std::string_view name;
  // Null if the op consists of other ops, whose gradients are used.
  OpRule rule = nullptr;
};

// Registers derivatives, by `const RegisterOpGradients registration{kGradients};` at namespace
// scope.
class RegisterOpGradients {
 public:
  explicit RegisterOpGradients(std::span<const OpGradient> gradients);

 private:
  friend const OpGradient* find_op_gradient(std::string_view name);
  std::span<const OpGradient> gradients_;
  const RegisterOpGradients* next_;
};
// Returns the derivative of an op, or null if it has none.
[[nodiscard]] const OpGradient* find_op_gradient(std::string_view name);

// Sums a gradient over the axes along which an operand of this shape was broadcast.
[[nodiscard]] Tensor unbroadcast(const Tensor& gradient, const Shape& shape);

}  // namespace maskflow
