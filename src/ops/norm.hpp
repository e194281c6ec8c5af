// SPDX-License-Identifier: MIT
#pragma once

#include "ops/op.hpp"

namespace maskflow {

// Computes a norm by the attributes `ord`, `axis` and `keepdims` of the op Norm.
using NormRule = Tensor (*)(const Tensor& x, const OpAttributes& attributes);

// Sets the rule for norms with an order. In modules without it, they are an UnsupportedError.
void set_norm_rule(NormRule rule);
[[nodiscard]] Tensor norm_of_order(const Tensor& x, const OpAttributes& attributes);

}  // namespace maskflow
