// SPDX-License-Identifier: MIT
#pragma once

#include "layer/layer_gradient.hpp"

namespace maskflow {

// Calls a layer that looks up rows of its first weight, and records the lookup on the tape.
[[nodiscard]] Structure record_lookup(Layer& layer, const Args& args, Frame& frame, Tape& tape);

}  // namespace maskflow
