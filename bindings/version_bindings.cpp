// SPDX-License-Identifier: MIT
// States of models as JavaScript calls them. The module of recurrent layers does not link this
// table.
#include <algorithm>

#include "bind.hpp"
#include "layer/variable.hpp"

namespace maskflow::bindings {
namespace {

// Returns a number that changes with each write to a weight of the layer; 0 without weights.
double weights_version(const LayerPtr& layer) {
  std::uint64_t newest = 0;
  for (const Layer::Weight& weight : layer->weights()) {
    newest = std::max(newest, weight.variable->version().number());
  }
  return static_cast<double>(newest);
}

EMSCRIPTEN_BINDINGS(maskflow_version) { bind<&weights_version>("weightsVersion"); }

}  // namespace
}  // namespace maskflow::bindings
