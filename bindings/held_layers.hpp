// SPDX-License-Identifier: MIT
// What JavaScript holds of layers: a layer crosses as its id, a plain number, and lives as long as
// one of JavaScript's objects or another layer holds it. A number that no layer has is an error,
// not a place in memory.
#pragma once

#include "boundary.hpp"

namespace maskflow::bindings {

using LayerHandle = int;

// One more hold on the layer, which JavaScript gives back.
[[nodiscard]] LayerHandle hold(const LayerPtr& layer);
// StateError for one that was given back.
[[nodiscard]] LayerPtr layer_at(LayerHandle handle);
// Does the layer live on, in JavaScript or in another layer?
bool give_back(LayerHandle handle);

// guarded(), with the layer: it lives until f has returned, whatever code of the user's disposes
// of.
[[nodiscard]] val with_layer(LayerHandle handle, FunctionRef<val(const LayerPtr&)> f);

// Gives back the weights of the layers inside that nothing else uses, and tells which layers these
// are. None where calls are running, which may use them.
[[nodiscard]] val layer_disown(LayerHandle handle);

}  // namespace maskflow::bindings
