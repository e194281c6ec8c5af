// SPDX-License-Identifier: MIT
#include "base/depth.hpp"

#include "base/error.hpp"

namespace maskflow {

thread_local int Depth::taken_ = 0;

void Depth::refuse() {
  config_error("this is nested too deeply: at most ", kMostLayers, " layers inside each other, or ",
               kMostLayers * kLayer,
               " levels of settings, are possible; is something inside itself?");
}

}  // namespace maskflow
