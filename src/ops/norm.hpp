// SPDX-License-Identifier: MIT
#pragma once

#include "ops/op.hpp"

namespace maskflow {

// Computes a norm by the attributes `ord`, `axis` and `keepdims` of the op Norm.
using NormRule = Tensor (*)(const Tensor& x, const OpAttributes& attributes);

// Sets the rule for norms with an order. In modules without it, they are an UnsupportedError.
void set_norm_rule(NormRule rule);
[[nodiscard]] Tensor norm_of_order(const Tensor& x, const OpAttributes& attributes);

// Returns sum^(1 / order) for a positive order.
using RootRule = Tensor (*)(const Tensor& sum, double order);

// Sets the rule by which modules that train compute roots of sums, with another gradient at 0.
void set_root_rule(RootRule rule);
[[nodiscard]] Tensor root_of_sum(const Tensor& sum, double order);

}  // namespace maskflow
