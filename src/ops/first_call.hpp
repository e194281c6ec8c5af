// SPDX-License-Identifier: MIT
#pragma once

#include "ops/node.hpp"

namespace maskflow {

// Returns the results, without masks, of the first symbolic call of an operation that a model or a
// tensor still uses; empty if there is none.
[[nodiscard]] Tensors first_call(const Operation& operation);

}  // namespace maskflow
