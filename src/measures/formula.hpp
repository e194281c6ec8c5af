// SPDX-License-Identifier: MIT
// Losses and metrics as texts: ops in postfix order, which infix.hpp makes of formulas. A text
// takes a few dozen bytes of the wasm, a function much more; and a formula of ops is what gradients
// can be taken of.
#pragma once

#include <string_view>

#include "ops/op.hpp"

namespace maskflow {

// What a formula is of, and the settings it may read.
struct FormulaArgs {
  Tensor y_true;  // both float32
  Tensor y_pred;
  const OpAttributes& settings;
};

// Words are separated by one space and work on a stack of tensors:
//   t p e 2      the targets, the predictions, 1e-7, a whole number
//   c            how long the last axis of the targets is
//   $name        the setting of that name, a number
//   :x           names the top `x` (one letter) and takes it off
//   + - * /      and ops by their names take operands off and put the result there
//   Sum. Sum_    an op along the axis of the classes; the second keeps that axis with size 1
//   OneHot#      classes as vectors as long as those of the predictions
//   same         ShapeError unless t and p have one shape
//   pairs        ShapeError unless t is [batch] and p [batch, features]
//   squeeze      takes the last axis off t, of size 1, where t has as many as the predictions
//   rows         makes t [n] and p [n, classes]; after both the result gets t's shape
//   ?name … else … end   the first words when the setting is true, else the second ones; they nest
// What is named k at the end says which values count (1) and which do not (0).
struct Formula {
  Tensor values;
  Tensor kept;  // no handle: all of them
};
[[nodiscard]] Formula evaluate(std::string_view formula, const FormulaArgs& args);

}  // namespace maskflow
