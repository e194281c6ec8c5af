// SPDX-License-Identifier: MIT
// Helpers of the tests of training.
#pragma once

#include <string>
#include <vector>

#include "training/optimizer.hpp"

namespace maskflow::test {

std::shared_ptr<Optimizer> optimizer_from(const Value& serialized);
[[nodiscard]] VariablePtr variable(const std::string& name, const Tensor& value);
// Builds the optimizer for variables whose paths are their names.
void build(Optimizer& optimizer, const std::vector<VariablePtr>& variables);
// Applies one step; an empty handle means that a variable has no gradient.
void apply(Optimizer& optimizer, const Tensors& gradients,
           const std::vector<VariablePtr>& variables);

// Describes the first difference from a recorded tensor that is larger than max(1e-5, 8 * spread)
// times max(floor, largest recorded number); empty if there is none.
[[nodiscard]] std::string recorded_difference(const Tensor& actual, const Tensor& expected,
                                              double spread, double floor);

}  // namespace maskflow::test
