// SPDX-License-Identifier: MIT
#pragma once

#include "ops/activation.hpp"
#include "ops/tape.hpp"

namespace maskflow {

// Computes activation(x) and records it on the tape.
[[nodiscard]] Tensor activate(Tape& tape, const Activation& activation, const Tensor& x);

}  // namespace maskflow
