// SPDX-License-Identifier: MIT
// How layers with code of their own are differentiated: beside a layer's file stands
// <layer>_gradient.cpp, which the training module alone links.
#pragma once

#include <span>
#include <string_view>

#include "layer/layer.hpp"
#include "ops/tape.hpp"

namespace maskflow {

// Computes what `call` does, and so that `tape` records it: written in ops, which record
// themselves, or by Tape::record. Asked for where an input or a weight is tracked.
using LayerRule = Structure (*)(Layer& layer, const Args& args, Frame& frame, Tape& tape);

struct LayerGradient {
  std::string_view name;  // of the class, in Keras
  // Null: `call` is written in ops and in calls of layers, and needs no rule.
  LayerRule rule = nullptr;
};

// `const RegisterLayerGradients registration{kGradients};` at namespace scope.
class RegisterLayerGradients {
 public:
  explicit RegisterLayerGradients(std::span<const LayerGradient> gradients);

 private:
  friend const LayerGradient* find_layer_gradient(std::string_view name);
  std::span<const LayerGradient> gradients_;
  const RegisterLayerGradients* next_;
};
// Null for a class that has none.
[[nodiscard]] const LayerGradient* find_layer_gradient(std::string_view name);

}  // namespace maskflow
