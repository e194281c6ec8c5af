// SPDX-License-Identifier: MIT
#pragma once

#include "layer/layer_gradient.hpp"

namespace maskflow {

// The call of a layer that looks up rows of its first weight, recorded.
[[nodiscard]] Structure record_lookup(Layer& layer, const Args& args, Frame& frame, Tape& tape);

}  // namespace maskflow
