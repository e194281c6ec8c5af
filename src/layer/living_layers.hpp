// SPDX-License-Identifier: MIT
// Every existing layer, by id. Ids grow with every layer.
#pragma once

#include <vector>

#include "base/id_table.hpp"
#include "layer/layer.hpp"

namespace maskflow {

struct LivingLayer {
  Layer* layer = nullptr;
  std::vector<int> holders;  // Ids of layers that have contained it.
};
[[nodiscard]] IdTable<LivingLayer>& living_layers();
// Returns null if the layer is gone, or if its constructor runs.
[[nodiscard]] LayerPtr living_layer(int id);
// Id of the layer that was created last.
[[nodiscard]] int newest_layer_id();

}  // namespace maskflow
