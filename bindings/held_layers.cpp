// SPDX-License-Identifier: MIT
#include "held_layers.hpp"

#include <emscripten/emscripten.h>

#include <algorithm>

namespace maskflow::bindings {
namespace {

struct Held {
  LayerHandle handle;
  int holds;
  LayerPtr layer;
};

// By handle.
std::vector<Held>& table() {
  static std::vector<Held> held;
  return held;
}

std::vector<Held>::iterator place_of(LayerHandle handle) {
  return std::ranges::lower_bound(table(), handle, {}, &Held::handle);
}

bool is_there(std::vector<Held>::iterator at, LayerHandle handle) {
  return at != table().end() && at->handle == handle;
}

}  // namespace

LayerHandle hold(const LayerPtr& layer) {
  const LayerHandle handle = layer->id();
  auto at = place_of(handle);
  if (!is_there(at, handle)) at = table().insert(at, {handle, 0, layer});
  ++at->holds;
  return handle;
}

LayerPtr layer_at(LayerHandle handle) {
  const auto at = place_of(handle);
  if (!is_there(at, handle)) state_error("this layer was disposed of; make a new one");
  return at->layer;
}

bool give_back(LayerHandle handle) {
  const auto at = place_of(handle);
  if (!is_there(at, handle)) return false;
  if (--at->holds > 0) return true;
  // The layer goes after its entry: what it holds may be held here, too.
  const LayerPtr last = std::move(at->layer);
  table().erase(at);
  return last.use_count() > 1;
}

val with_layer(LayerHandle handle, FunctionRef<val(const LayerPtr&)> f) {
  return guarded([&] { return f(layer_at(handle)); });
}

val layer_disown(LayerHandle handle) {
  return with_layer(handle, [](const LayerPtr& layer) {
    JsList list;
    // (One hold is the table's, one this call's.)
    if (calls_running() > 1 || layer.use_count() > 2) return list;
    for (const LayerPtr& inner : unshared_layers(*layer)) {
      inner->free_weights();
      list.push(val(inner->id()));
    }
    return list;
  });
}

extern "C" {

// Another hold on the layer; 0: there is none.
EMSCRIPTEN_KEEPALIVE LayerHandle layer_share(LayerHandle handle) {
  const auto at = place_of(handle);
  if (!is_there(at, handle)) return 0;
  ++at->holds;
  return handle;
}

EMSCRIPTEN_KEEPALIVE bool layer_free(LayerHandle handle) { return give_back(handle); }
}

}  // namespace maskflow::bindings
