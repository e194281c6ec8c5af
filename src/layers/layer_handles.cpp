// SPDX-License-Identifier: MIT
// Every living layer, found by the number that stands for it outside of the core.
#include <algorithm>

#include "layers/layer.hpp"

namespace maskflow {
namespace {

// By id, which grows with every layer made.
struct LivingLayer {
  int id;
  Layer* layer;
};
std::vector<LivingLayer>& living_layers() {
  static std::vector<LivingLayer> layers;
  return layers;
}

std::vector<LivingLayer>::iterator find_living(int id) {
  return std::ranges::lower_bound(living_layers(), id, {}, &LivingLayer::id);
}

}  // namespace

Layer::Layer() {
  static int next_id = 1;
  id_ = next_id++;
  living_layers().push_back({id_, this});
  const Context& context = Context::current();
  if (context.pin_mask_propagation) pinned_rule_ = context.mask_propagation;
}

Layer::~Layer() { living_layers().erase(find_living(id_)); }

LayerPtr find_layer(int id) {
  const auto found = find_living(id);
  if (found == living_layers().end() || found->id != id) {
    state_error("this layer was disposed of; make a new one");
  }
  return found->layer->shared_from_this();
}

}  // namespace maskflow
