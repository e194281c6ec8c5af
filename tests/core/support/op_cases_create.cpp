// SPDX-License-Identifier: MIT
#include "support/op_cases.hpp"

namespace maskflow::test {

std::vector<OpCase> create_cases() {
  const Tensor x = ints({2}, {5, 6});
  return {
      {"Zeros", {}, dict({{"shape", list({2})}, {"dtype", "bool"}}), {bools({2}, {0, 0})}},
      {"Ones", {}, dict({{"shape", list({})}}), {scalar(1)}},
      {"Full", {}, dict({{"shape", list({2})}, {"fill_value", 2.5}}), {floats({2}, {2.5F, 2.5F})}},
      // A value beyond the range of int32 is clamped, as Cast does.
      {"Full",
       {},
       dict({{"shape", list({1})}, {"fill_value", 1e12}, {"dtype", "int32"}}),
       {ints({1}, {INT32_MAX})}},
      {"ZerosLike", {x}, {}, {ints({2}, {0, 0})}},
      {"OnesLike", {x}, dict({{"dtype", "float32"}}), {floats({2}, {1, 1})}},
      {"FullLike", {x}, dict({{"fill_value", -3}}), {ints({2}, {-3, -3})}},
      {"Arange", {}, dict({{"start", 3}}), {ints({3}, {0, 1, 2})}},
      {"Arange", {}, dict({{"start", 5}, {"stop", 0}, {"step", -2}}), {ints({3}, {5, 3, 1})}},
      {"Arange", {}, dict({{"start", 0}, {"stop", 1}, {"step", 0.5}}), {floats({2}, {0, 0.5F})}},
      {"Arange", {}, dict({{"start", 2}, {"dtype", "float32"}}), {floats({2}, {0, 1})}},
      {"Linspace", {}, dict({{"start", 0}, {"stop", 1}, {"num", 3}}), {floats({3}, {0, 0.5F, 1})}},
      {"Linspace", {}, dict({{"start", 4}, {"stop", 9}, {"num", 1}}), {floats({1}, {4})}},
      {"Linspace",
       {},
       dict({{"start", 0}, {"stop", 1}, {"num", 2}, {"endpoint", false}}),
       {floats({2}, {0, 0.5F})}},
      {"Linspace",
       {},
       dict({{"start", 0.5}, {"stop", -1}, {"num", 3}, {"dtype", "int32"}}),
       {ints({3}, {0, -1, -1})}},
      {"Full",
       {},
       dict({{"shape", list({1})}, {"fill_value", true}, {"dtype", "bool"}}),
       {bools({1}, {1})}},
      {"Eye", {}, dict({{"n", 2}, {"m", 3}, {"k", 1}}), {floats({2, 3}, {0, 1, 0, 0, 0, 1})}},
      {"Eye", {}, dict({{"n", 2}, {"k", -1}, {"dtype", "int32"}}), {ints({2, 2}, {0, 0, 1, 0})}},
  };
}

std::vector<OpCase> op_cases() {
  std::vector<OpCase> all;
  for (const auto& cases :
       {unary_cases(), binary_cases(), reduce_cases(), shape_cases(), join_cases(), create_cases(),
        more_cases(), mathematics_cases(), rare_cases()}) {
    all.insert(all.end(), cases.begin(), cases.end());
  }
  return all;
}

}  // namespace maskflow::test
