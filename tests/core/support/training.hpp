// SPDX-License-Identifier: MIT
// What tests of training share.
#pragma once

#include <string>
#include <vector>

#include "training/optimizer.hpp"

namespace maskflow::test {

std::shared_ptr<Optimizer> optimizer_from(const Value& serialized);
[[nodiscard]] VariablePtr variable(const std::string& name, const Tensor& value);
// Built for variables whose paths are their names.
void build(Optimizer& optimizer, const std::vector<VariablePtr>& variables);
// One step; a null handle is no gradient.
void apply(Optimizer& optimizer, const Tensors& gradients,
           const std::vector<VariablePtr>& variables);

// Of recorded tensors: the largest difference may be max(1e-5, 8 * spread) of the largest number,
// which counts for at least `floor`. Empty when it is at most that.
[[nodiscard]] std::string recorded_difference(const Tensor& got, const Tensor& wanted,
                                              double spread, double floor);

}  // namespace maskflow::test
