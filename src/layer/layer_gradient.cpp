// SPDX-License-Identifier: MIT
#include "layer/layer_gradient.hpp"

namespace maskflow {
namespace {

const RegisterLayerGradients*& last_table() {
  static const RegisterLayerGradients* table = nullptr;
  return table;
}

}  // namespace

RegisterLayerGradients::RegisterLayerGradients(std::span<const LayerGradient> gradients)
    : gradients_(gradients), next_(std::exchange(last_table(), this)) {}

const LayerGradient* find_layer_gradient(std::string_view name) {
  for (const RegisterLayerGradients* table = last_table(); table != nullptr; table = table->next_) {
    for (const LayerGradient& gradient : table->gradients_) {
      if (gradient.name == name) return &gradient;
    }
  }
  return nullptr;
}

}  // namespace maskflow
