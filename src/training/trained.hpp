// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "layer/layer.hpp"
#include "training/constraint.hpp"

namespace maskflow {

// A variable that an optimizer updates.
struct Trained {
  VariablePtr variable;
  std::string path;          // in the model; names of the state are made from it
  ConstraintPtr constraint;  // may be null
};

// The constraint that a layer's config sets for one of its own weights, as kernel_constraint does
// for the kernel. Null if there is none.
[[nodiscard]] ConstraintPtr constraint_of(Layer& owner, std::string_view weight);

}  // namespace maskflow
