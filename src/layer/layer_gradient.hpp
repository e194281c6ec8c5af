// SPDX-License-Identifier: MIT
// Gradients of layers that are not composed of ops. The rule of a layer is in <layer>_gradient.cpp
// beside its file; only the training module links these files.
#pragma once

#include <span>
#include <string_view>

#include "layer/layer.hpp"
#include "ops/tape.hpp"

namespace maskflow {

// Computes the same as `call` and records it on `tape`, by ops, which record themselves, or by
// Tape::record. Called only if an input or a weight is tracked.
using LayerRule = Structure (*)(Layer& layer, const Args& args, Frame& frame, Tape& tape);

struct LayerGradient {
  std::string_view name;  // class name in Keras
  LayerRule rule;
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
// Null for a class without a rule.
[[nodiscard]] const LayerGradient* find_layer_gradient(std::string_view name);

}  // namespace maskflow
