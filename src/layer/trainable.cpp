// SPDX-License-Identifier: MIT
// Freezing: which layers and weights training changes.
#include <algorithm>
#include <array>

#include "layer/layer.hpp"

namespace maskflow {
namespace {

// Returns whether a config describes inner layers by settings of their own, as files do.
// Constructors pass references to existing layers instead.
bool lists_inner_settings(const Dict& config) {
  return std::ranges::any_of(std::array{"layer", "cell", "cells", "layers"}, [&](const char* key) {
    const Value* value = config.find(key);
    if (value == nullptr) return false;
    if (!value->is_list()) return value->find("class_name") != nullptr;
    const List& list = value->as_list(key);
    return !list.empty() && list.front().find("class_name") != nullptr;
  });
}

}  // namespace

std::vector<LayerPtr> Layer::layers_inside() const {
  std::vector<LayerPtr> inside;
  const auto add_new = [&](const Layer& layer) {
    for (LayerPtr& inner : layer.sublayers()) {
      if (inner.get() == this || std::ranges::find(inside, inner) != inside.end()) continue;
      inside.push_back(std::move(inner));
    }
  };
  add_new(*this);
  for (std::size_t i = 0; i < inside.size(); ++i) add_new(*LayerPtr(inside[i]));
  return inside;
}

void Layer::set_trainable(bool trainable) {
  assign_trainable(trainable);
  for (const LayerPtr& inner : layers_inside()) inner->assign_trainable(trainable);
}

void Layer::assign_trainable(bool trainable) {
  trainable_ = trainable;
  for (const VariablePtr& variable : weights_) variable->set_trainable(trainable);
  freezes_when_built_ = !trainable && !built_ && sublayers().empty();
}

void Layer::read_trainable(const Dict& config) {
  if (const Value* trainable = config.find("trainable")) {
    trainable_ = trainable->as_bool("trainable");
  }
}

void Layer::apply_trainable(const Dict& config) {
  if (trainable_) return;
  const std::vector<LayerPtr> inside = layers_inside();
  const auto is_frozen = [](const LayerPtr& layer) { return !layer->trainable(); };
  if (lists_inner_settings(config) && std::ranges::any_of(inside, is_frozen)) return;
  for (const LayerPtr& inner : inside) inner->assign_trainable(false);
  freezes_when_built_ = inside.empty();
}

}  // namespace maskflow
