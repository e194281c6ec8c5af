// SPDX-License-Identifier: MIT
// The layers that JavaScript holds. A layer crosses as its id, a plain number, and lives as long as
// a JavaScript object or another layer holds it. An id without a layer is an error, not an address.
#pragma once

#include "boundary.hpp"

namespace maskflow::bindings {

using LayerHandle = int;

// Adds a hold on the layer, which JavaScript releases.
[[nodiscard]] LayerHandle hold(const LayerPtr& layer);
// The layer of a handle; StateError if it was disposed of.
[[nodiscard]] LayerPtr layer_at(LayerHandle handle);
// Removes a hold. Returns true if the layer lives on, in JavaScript or in another layer.
bool release_hold(LayerHandle handle);

// Calls f by guarded(), with the layer of a handle. The layer lives until f has returned, even if
// user code disposes of it.
[[nodiscard]] val with_layer(LayerHandle handle, FunctionRef<val(const LayerPtr&)> f);

// Frees the weights of the layers inside that nothing else uses, and returns the ids of these
// layers. Returns an empty list while calls are running, because they may use the weights.
[[nodiscard]] JsList layer_disown(const LayerPtr& layer);

}  // namespace maskflow::bindings
