// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

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

// The trainable weights of a layer or model, with the constraints of the layers that have them.
[[nodiscard]] std::vector<Trained> trainable_weights(Layer& layer);

// What the layers inside are configured with for each of layer.weights(): `what` is "constraint" or
// "regularizer", and the kernel's is the setting kernel_constraint. Null where there is none.
[[nodiscard]] List weight_settings(Layer& layer, std::string_view what);

}  // namespace maskflow
