// SPDX-License-Identifier: MIT
#include "held_layers.hpp"

#include <emscripten/emscripten.h>

#include <algorithm>

namespace maskflow::bindings {
namespace {

struct HeldLayer {
  LayerHandle handle;
  int holds;
  LayerPtr layer;
};

// The table of all held layers, sorted by handle.
std::vector<HeldLayer>& table() {
  static std::vector<HeldLayer> layers;
  return layers;
}

std::vector<HeldLayer>::iterator place_of(LayerHandle handle) {
  return std::ranges::lower_bound(table(), handle, {}, &HeldLayer::handle);
}

bool has_handle(std::vector<HeldLayer>::iterator place, LayerHandle handle) {
  return place != table().end() && place->handle == handle;
}

}  // namespace

LayerHandle hold(const LayerPtr& layer) {
  const LayerHandle handle = layer->id();
  auto place = place_of(handle);
  if (!has_handle(place, handle)) place = table().insert(place, {handle, 0, layer});
  ++place->holds;
  return handle;
}

LayerPtr layer_at(LayerHandle handle) {
  const auto place = place_of(handle);
  if (!has_handle(place, handle)) state_error("this layer was disposed of; make a new one");
  return place->layer;
}

bool release_hold(LayerHandle handle) {
  const auto place = place_of(handle);
  if (!has_handle(place, handle)) return false;
  if (--place->holds > 0) return true;
  // The layer is destroyed after its entry: layers inside it may have entries, too.
  const LayerPtr last = std::move(place->layer);
  table().erase(place);
  return last.use_count() > 1;
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
  const auto place = place_of(handle);
  if (!has_handle(place, handle)) return 0;
  ++place->holds;
  return handle;
}

EMSCRIPTEN_KEEPALIVE bool layer_free(LayerHandle handle) { return release_hold(handle); }
}

}  // namespace maskflow::bindings
