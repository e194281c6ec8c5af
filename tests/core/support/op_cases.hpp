// SPDX-License-Identifier: MIT
// One or more examples of every op, with results that are written here or computed in double.
#pragma once

#include "ops/op.hpp"
#include "support/tensors.hpp"
#include "support/values.hpp"

namespace maskflow::test {

struct OpCase {
  std::string op;
  Tensors operands;
  Dict attributes;
  Tensors expected;
};

[[nodiscard]] std::vector<OpCase> unary_cases();
[[nodiscard]] std::vector<OpCase> binary_cases();
[[nodiscard]] std::vector<OpCase> reduce_cases();
[[nodiscard]] std::vector<OpCase> shape_cases();
[[nodiscard]] std::vector<OpCase> join_cases();
[[nodiscard]] std::vector<OpCase> create_cases();
[[nodiscard]] std::vector<OpCase> more_cases();
[[nodiscard]] std::vector<OpCase> mathematics_cases();
[[nodiscard]] std::vector<OpCase> rare_cases();
// All cases.
[[nodiscard]] std::vector<OpCase> op_cases();

}  // namespace maskflow::test
