// SPDX-License-Identifier: MIT
#include <cmath>

#include "support/op_cases.hpp"

namespace maskflow::test {

std::vector<OpCase> mathematics_cases() {
  // Each function at points where it is defined.
  const Tensor small = floats({3}, {-0.5F, 1e-5F, 0.75F});
  const Tensor large = floats({3}, {1.5F, 2, 30});
  const auto of = [](const Tensor& x, double (*f)(double)) {
    Tensor y(DType::kFloat32, x.shape());
    for (std::size_t i = 0; i < x.size(); ++i) {
      y.mutable_floats()[i] = static_cast<float>(f(static_cast<double>(x.floats()[i])));
    }
    return y;
  };
  const float inf = INFINITY;
  return {
      {"Arccos", {small}, {}, {of(small, std::acos)}},
      {"Arccosh", {large}, {}, {of(large, std::acosh)}},
      {"Arcsin", {small}, {}, {of(small, std::asin)}},
      {"Arcsinh", {small}, {}, {of(small, std::asinh)}},
      {"Arcsinh", {floats({2}, {inf, -inf})}, {}, {floats({2}, {inf, -inf})}},
      {"Arctan", {large}, {}, {of(large, std::atan)}},
      {"Arctan2",
       {floats({2}, {1, -1}), floats({2}, {-1, 2})},
       {},
       {floats({2}, {std::atan2(1.0F, -1.0F), std::atan2(-1.0F, 2.0F)})}},
      {"Arctanh", {small}, {}, {of(small, std::atanh)}},
      {"Cbrt", {floats({2}, {-8, 27})}, {}, {floats({2}, {-2, 3})}},
      {"Cosh", {small}, {}, {of(small, std::cosh)}},
      {"Exp2", {small}, {}, {of(small, std::exp2)}},
      {"Hypot", {floats({1}, {3}), floats({1}, {-4})}, {}, {floats({1}, {5})}},
      {"Log10", {large}, {}, {of(large, std::log10)}},
      {"Log2", {large}, {}, {of(large, std::log2)}},
      {"Sinh", {small}, {}, {of(small, std::sinh)}},
      {"Tan", {small}, {}, {of(small, std::tan)}},
      {"Trunc", {floats({2}, {-1.5F, 1.5F})}, {}, {floats({2}, {-1, 1})}},
      {"Trunc", {ints({1}, {-3})}, {}, {ints({1}, {-3})}},
      {"Logaddexp",
       {floats({2}, {1000, -inf}), floats({2}, {1000, 1})},
       {},
       {floats({2}, {1000 + std::log(2.0F), 1})}},
      {"DivideNoNan", {floats({2}, {1, 3}), floats({2}, {-1, 2})}, {}, {floats({2}, {-1, 1.5F})}},
      {"NanToNum",
       {floats({3}, {NAN, inf, 2})},
       dict({{"nan", 7}, {"posinf", 9}}),
       {floats({3}, {7, 9, 2})}},
  };
}

}  // namespace maskflow::test
