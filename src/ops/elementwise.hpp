// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/elementwise.hpp"
#include "ops/op.hpp"

namespace maskflow {

// `compute` of an op of one or two operands whose data (`OpDef::kernel`) is a kernels::Elementwise.
// Operands broadcast; the result has their dtype.
Tensors elementwise(Operands operands, const OpAttributes& attributes);

}  // namespace maskflow
