// SPDX-License-Identifier: MIT
// Losses and metrics as texts: ops in postfix order, which infix.hpp compiles from formulas. A text
// takes a few dozen bytes of the wasm, a function many more; and a formula of ops can be
// differentiated.
#pragma once

#include <string_view>

#include "ops/op.hpp"

namespace maskflow {

// The arguments of a formula, and the settings that it may read.
struct FormulaArgs {
  Tensor y_true;  // float32
  Tensor y_pred;  // float32
  const OpAttributes& settings;
};

// Words are separated by one space and work on a stack of tensors:
//   t p e 2      push the targets, the predictions, 1e-7, an integer
//   c            pushes the size of the last axis of the targets
//   $name        pushes the setting of that name, a number
//   x            pushes the value that was named `x` (one letter)
//   :x           pops a value and names it `x`
//   + - * /      and ops by their names pop their operands and push the result
//   Sum. Sum_    an op along the axis of the classes; Sum_ keeps that axis with size 1
//   OneHot#      turns classes into vectors of the size of the predictions
//   same         ShapeError unless t and p have the same shape
//   pairs        ShapeError unless t is [batch] and p is [batch, features]
//   squeeze      removes the last axis of t, of size 1, if t and p have the same rank
//   rows         reshapes t to [n] and p to [n, classes]
//   ?name … else … end   runs the first words if the setting is true, else the second; they nest
// After `squeeze` or `rows`, the result is reshaped to the original shape of t.
struct Formula {
  Tensor values;
  // The value named `k`: 1 for values that count, 0 for others. An empty handle means that all
  // count.
  Tensor kept;
};
[[nodiscard]] Formula evaluate(std::string_view formula, const FormulaArgs& args);

}  // namespace maskflow
