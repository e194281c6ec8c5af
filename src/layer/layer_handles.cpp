// SPDX-License-Identifier: MIT
// Every existing layer, found by the id that represents it outside of the core.
#include "base/error_codes.hpp"
#include "layer/living_layers.hpp"

namespace maskflow {
namespace {

int newest_id = 0;

}  // namespace

IdTable<LivingLayer>& living_layers() {
  static IdTable<LivingLayer> layers;
  return layers;
}

LayerPtr living_layer(int id) {
  const LivingLayer* living = living_layers().find(id);
  return living == nullptr ? nullptr : living->layer->weak_from_this().lock();
}

int newest_layer_id() { return newest_id; }

Layer::Layer() : id_(++newest_id) {
  living_layers().add(id_, {this, {}});
  const Policy& policy = Policy::current();
  if (policy.pin_mask_propagation) pinned_rule_ = policy.mask_propagation;
}

Layer::~Layer() { static_cast<void>(living_layers().remove(id_)); }

LayerPtr find_layer(int id) {
  LivingLayer* living = living_layers().find(id);
  if (living == nullptr) fail_with(kDisposed, "this layer was disposed of; make a new one");
  return living->layer->shared_from_this();
}

}  // namespace maskflow
