// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "layer/layer.hpp"
#include "training/constraint.hpp"

namespace maskflow {

// A variable that an optimizer updates.
struct Trained {
  VariablePtr variable;
  std::string path;          // Path in the model, from which the names of the state are made.
  ConstraintPtr constraint;  // The constraint, or null.
};

// Returns the constraint that a layer's config sets for one of its own weights, as
// kernel_constraint does for the kernel. Returns null if there is none.
[[nodiscard]] ConstraintPtr constraint_of(Layer& owner, std::string_view weight);

}  // namespace maskflow
