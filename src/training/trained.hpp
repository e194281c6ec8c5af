// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "layer/layer.hpp"
#include "training/constraint.hpp"

namespace maskflow {

// A variable that an optimizer changes: its path in the model, by which its state is named, and
// what holds for its values.
struct Trained {
  VariablePtr variable;
  std::string path;
  ConstraintPtr constraint;  // may be null
};

// The constraint that a layer is configured with for a weight of its own: the kernel's is the
// setting kernel_constraint. Null where there is none.
[[nodiscard]] ConstraintPtr constraint_of(Layer& owner, std::string_view weight);

}  // namespace maskflow
