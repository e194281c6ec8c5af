// SPDX-License-Identifier: MIT
#include "held_layers.hpp"

#include <emscripten/emscripten.h>

#include "base/error_codes.hpp"
#include "base/id_table.hpp"

namespace maskflow::bindings {
namespace {

struct HeldLayer {
  int holds = 0;
  LayerPtr layer;
};

IdTable<HeldLayer>& held_layers() {
  static IdTable<HeldLayer> layers;
  return layers;
}

}  // namespace

LayerHandle hold(const LayerPtr& layer) {
  const LayerHandle handle = layer->id();
  HeldLayer* held = held_layers().find(handle);
  if (held == nullptr) held = &held_layers().add(handle, {0, layer});
  ++held->holds;
  return handle;
}

LayerPtr layer_at(LayerHandle handle) {
  const HeldLayer* held = held_layers().find(handle);
  if (held == nullptr) fail_with(kDisposed, "this layer was disposed of; make a new one");
  return held->layer;
}

bool release_hold(LayerHandle handle) {
  HeldLayer* held = held_layers().find(handle);
  if (held == nullptr) return false;
  if (--held->holds > 0) return true;
  // The layer is destroyed after its entry: layers inside it may have entries, too.
  const HeldLayer last = held_layers().remove(handle);
  return last.layer.use_count() > 1;
}

val with_layer(LayerHandle handle, FunctionRef<val(const LayerPtr&)> f) {
  return guarded([&] { return f(layer_at(handle)); });
}

JsList layer_disown(const LayerPtr& layer) {
  // One of the two counted pointers is the table's, the other this call's.
  if (calls_running() > 1 || layer.use_count() > 2) return {};
  return list_of(unshared_layers(*layer), [](const LayerPtr& inner) {
    inner->free_weights();
    return val(inner->id());
  });
}

extern "C" {

// Adds a hold on the layer; 0 if JavaScript does not hold it.
EMSCRIPTEN_KEEPALIVE LayerHandle layer_share(LayerHandle handle) {
  HeldLayer* held = held_layers().find(handle);
  if (held == nullptr) return 0;
  ++held->holds;
  return handle;
}

EMSCRIPTEN_KEEPALIVE bool layer_free(LayerHandle handle) { return release_hold(handle); }
}

}  // namespace maskflow::bindings
