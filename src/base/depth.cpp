// SPDX-License-Identifier: MIT
#include "base/depth.hpp"

#include "base/error.hpp"

namespace maskflow {

thread_local int Depth::taken_ = 0;

void Depth::refuse() {
  config_error("nested too deeply: at most ", kMaxLayers, " nested layers, or ",
               kMaxLayers * kLayer,
               " levels of settings, are possible; check that nothing contains itself");
}

}  // namespace maskflow
