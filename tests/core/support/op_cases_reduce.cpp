// SPDX-License-Identifier: MIT
#include <cmath>

#include "support/op_cases.hpp"

namespace maskflow::test {

std::vector<OpCase> reduce_cases() {
  const Tensor x = floats({2, 3}, {1, 2, 3, 4, 5, 9});
  const Tensor odd = floats({2, 2}, {0, NAN, -1, 0});
  const Dict last = dict({{"axis", -1}});
  const Dict first = dict({{"axis", 0}});
  const float third = 1.0F / 3;
  return {
      {"Sum", {x}, {}, {scalar(24)}},
      {"Sum", {ints({2}, {INT32_MAX, 1})}, {}, {ints({}, {INT32_MIN})}},
      {"Mean", {x}, last, {floats({2}, {2, 6})}},
      {"Mean", {ints({2}, {1, 2})}, {}, {scalar(1.5F)}},
      {"Max", {x}, first, {floats({3}, {4, 5, 9})}},
      {"Max", {odd}, last, {floats({2}, {NAN, 0})}},
      {"Min", {x}, first, {floats({3}, {1, 2, 3})}},
      {"Min", {odd}, last, {floats({2}, {NAN, -1})}},
      {"Prod", {x}, last, {floats({2}, {6, 180})}},
      {"Prod", {ints({2}, {65537, 65537})}, {}, {ints({}, {131073})}},
      {"Any", {odd}, last, {bools({2}, {1, 1})}},
      {"Any", {bools({2, 2}, {0, 0, 0, 1})}, last, {bools({2}, {0, 1})}},
      {"All", {odd}, last, {bools({2}, {0, 0})}},
      {"All", {bools({2, 2}, {1, 1, 0, 1})}, last, {bools({2}, {1, 0})}},
      {"Var", {x}, last, {floats({2}, {2 * third, 14 * third})}},
      {"Std", {x}, last, {floats({2}, {std::sqrt(2 * third), std::sqrt(14 * third)})}},
      {"Argmax", {floats({2, 3}, {1, 3, 3, 0, NAN, 9})}, last, {ints({2}, {1, 1})}},
      {"Argmin", {floats({2, 3}, {1, 0, 0, 0, NAN, 9})}, last, {ints({2}, {1, 1})}},
      {"Argmax", {ints({2}, {16777216, 16777217})}, {}, {ints({}, {1})}},
      {"Logsumexp", {floats({2}, {1000, 1000})}, {}, {scalar(1000 + std::log(2.0F))}},
      // With two steps and equal probabilities, three of the four paths produce the label.
      {"CtcLoss",
       {ints({1, 1}, {1}), Tensor::zeros(DType::kFloat32, {1, 2, 2}), ints({1}, {1}),
        ints({1}, {2})},
       {},
       {floats({1}, {-std::log(0.75F)})}},
      {"CountNonzero", {odd}, {}, {ints({}, {2})}},
      {"Cumsum", {x}, {}, {floats({6}, {1, 3, 6, 10, 15, 24})}},
      {"Cumsum", {bools({2}, {1, 1})}, dict({{"dtype", "float32"}}), {floats({2}, {1, 2})}},
      {"Cumsum", {x}, first, {floats({2, 3}, {1, 2, 3, 5, 7, 12})}},
      {"Cumsum",
       {ints({3}, {16777217, 1, -5})},
       first,
       {ints({3}, {16777217, 16777218, 16777213})}},
      {"Norm", {floats({2, 2}, {3, 4, 0, -2})}, last, {floats({2}, {5, 2})}},
      {"Norm", {ints({2}, {60000, 80000})}, {}, {scalar(100000)}},
      {"Normalize", {floats({2, 2}, {3, 4, 0, 0})}, {}, {floats({2, 2}, {0.6F, 0.8F, 0, 0})}},
      {"Softmax", {floats({2, 2}, {0, 0, 1000, -1000})}, {}, {floats({2, 2}, {0.5F, 0.5F, 1, 0})}},
      {"Softmax",
       {floats({2, 2}, {0, 5, 0, 5})},
       first,
       {floats({2, 2}, {0.5F, 0.5F, 0.5F, 0.5F})}},
      {"LogSoftmax",
       {floats({1, 2}, {3, 3})},
       {},
       {floats({1, 2}, {-std::log(2.0F), -std::log(2.0F)})}},
      // With one entry in the support, Keras's threshold is that of the paper.
      {"Sparsemax", {floats({1, 3}, {2, 0.5F, -1})}, {}, {floats({1, 3}, {1, 0, 0})}},
      {"Glu", {floats({1, 4}, {1, 2, 0, 0})}, {}, {floats({1, 2}, {0.5F, 1})}},
  };
}

}  // namespace maskflow::test
