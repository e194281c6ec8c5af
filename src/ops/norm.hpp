// SPDX-License-Identifier: MIT
#pragma once

#include "ops/op.hpp"

namespace maskflow {

// The norm of a tensor by the settings `ord`, `axis` and `keepdims` of Norm.
using NormRule = Tensor (*)(const Tensor& x, const OpAttributes& attributes);

// Sets the rule for norms with an order; modules without it refuse them.
void set_norm_rule(NormRule rule);
[[nodiscard]] Tensor norm_of_order(const Tensor& x, const OpAttributes& attributes);

}  // namespace maskflow
