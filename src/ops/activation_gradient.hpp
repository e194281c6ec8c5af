// SPDX-License-Identifier: MIT
#pragma once

#include "ops/activation.hpp"
#include "ops/tape.hpp"

namespace maskflow {

// activation(x), recorded.
[[nodiscard]] Tensor activate(Tape& tape, const Activation& activation, const Tensor& x);

}  // namespace maskflow
