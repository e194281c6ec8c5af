// SPDX-License-Identifier: MIT
// Gradients of layers that are not composed of ops. The rule of a layer is in <layer>_gradient.cpp
// beside its file; only the training module links these files.
#pragma once

#include <span>
#include <string_view>

#include "layer/layer.hpp"
#include "ops/tape.hpp"

namespace maskflow {

// Computes the result of `call` and records it on `tape`, by ops, which record themselves, or by
// Tape::record. It is called only if an input or a weight is tracked.
using LayerRule = Structure (*)(Layer& layer, const Args& args, Frame& frame, Tape& tape);

struct LayerGradient {
  std::string_view name;  // Class name in Keras.
  LayerRule rule;
};

// Registers gradients of layers, by `const RegisterLayerGradients registration{kGradients};` at
// namespace scope.
class RegisterLayerGradients {
 public:
  explicit RegisterLayerGradients(std::span<const LayerGradient> gradients);

 private:
  friend const LayerGradient* find_layer_gradient(std::string_view name);
  std::span<const LayerGradient> gradients_;
  const RegisterLayerGradients* next_;
};
// Returns the rule of a class, or null if it has none.
[[nodiscard]] const LayerGradient* find_layer_gradient(std::string_view name);

}  // namespace maskflow
