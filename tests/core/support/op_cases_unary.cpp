// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "support/op_cases.hpp"

namespace maskflow::test {
namespace {

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double softplus(double x) { return std::log1p(std::exp(x)); }
double hard_sigmoid(double x) { return std::clamp(x / 6 + 0.5, 0.0, 1.0); }
double elu(double x) { return x > 0 ? x : std::expm1(x); }
double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

struct Unary {
  const char* op;
  double (*exact)(double);
  Dict attributes{};
};

// Returns functions that accept any number.
std::vector<Unary> functions() {
  return {
      {"Absolute", [](double x) { return std::fabs(x); }},
      {"Negative", [](double x) { return -x; }},
      {"Square", [](double x) { return x * x; }},
      {"Sign", sign},
      {"Floor", [](double x) { return std::floor(x); }},
      {"Ceil", [](double x) { return std::ceil(x); }},
      {"Round", [](double x) { return std::nearbyint(x); }},
      {"Expm1", [](double x) { return std::expm1(x); }},
      {"Erf", [](double x) { return std::erf(x); }},
      {"Sin", [](double x) { return std::sin(x); }},
      {"Cos", [](double x) { return std::cos(x); }},
      {"Exp", [](double x) { return std::exp(x); }},
      {"Tanh", [](double x) { return std::tanh(x); }},
      {"Sigmoid", sigmoid},
      {"Silu", [](double x) { return x * sigmoid(x); }},
      {"LogSigmoid", [](double x) { return -softplus(-x); }},
      {"Softplus", softplus},
      {"Softsign", [](double x) { return x / (1 + std::fabs(x)); }},
      {"Mish", [](double x) { return x * std::tanh(softplus(x)); }},
      {"Relu", [](double x) { return std::max(x, 0.0); }},
      {"Relu", [](double x) { return x > 0.5 ? std::min(x, 2.0) : 0.1 * (x - 0.5); },
       dict({{"negative_slope", 0.1}, {"max_value", 2}, {"threshold", 0.5}})},
      {"Relu6", [](double x) { return std::clamp(x, 0.0, 6.0); }},
      {"LeakyRelu", [](double x) { return x < 0 ? 0.2 * x : x; }},
      {"LeakyRelu", [](double x) { return x < 0 ? 0.01 * x : x; },
       dict({{"negative_slope", 0.01}})},
      {"Elu", elu},
      {"Elu", [](double x) { return x > 0 ? x : 2 * std::expm1(x); }, dict({{"alpha", 2}})},
      {"Celu", elu},
      {"Celu", [](double x) { return x > 0 ? x : 2 * std::expm1(x / 2); }, dict({{"alpha", 2}})},
      {"Selu",
       [](double x) {
         return 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772 * std::expm1(x));
       }},
      {"Gelu", [](double x) { return x / 2 * (1 + std::erf(x / std::sqrt(2.0))); }},
      {"Gelu",
       [](double x) {
         return x / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
       },
       dict({{"approximate", true}})},
      {"HardShrink", [](double x) { return std::fabs(x) > 0.5 ? x : 0; }},
      {"SoftShrink", [](double x) { return std::fabs(x) > 0.5 ? x - 0.5 * sign(x) : 0; }},
      {"HardSigmoid", hard_sigmoid},
      {"HardSilu", [](double x) { return x * hard_sigmoid(x); }},
      {"HardTanh", [](double x) { return std::clamp(x, -1.0, 1.0); }},
      {"TanhShrink", [](double x) { return x - std::tanh(x); }},
      {"SparsePlus", [](double x) { return x <= -1 ? 0
                                           : x < 1 ? 0.25 * (x + 1) * (x + 1)
                                                   : x; }},
      {"SparseSigmoid", [](double x) { return std::clamp(0.5 * (x + 1), 0.0, 1.0); }},
      {"Squareplus", [](double x) { return 0.5 * (x + std::sqrt(x * x + 4)); }},
      {"Squareplus", [](double x) { return 0.5 * (x + std::sqrt(x * x + 1)); }, dict({{"b", 1}})},
      {"Threshold", [](double x) { return x > 1 ? x : -3; },
       dict({{"threshold", 1}, {"default_value", -3}})},
      {"Clip", [](double x) { return std::clamp(x, -1.5, 2.0); },
       dict({{"x_min", -1.5}, {"x_max", 2}})},
  };
}

// Returns functions that accept only positive numbers.
std::vector<Unary> positive_functions() {
  return {
      {"Log", [](double x) { return std::log(x); }},
      {"Log1p", [](double x) { return std::log1p(x); }},
      {"Sqrt", [](double x) { return std::sqrt(x); }},
      {"Rsqrt", [](double x) { return 1 / std::sqrt(x); }},
      {"Reciprocal", [](double x) { return 1 / x; }},
  };
}

void add(std::vector<OpCase>& cases, const std::vector<Unary>& table, const Tensor& x) {
  for (const Unary& unary : table) {
    Tensor y(DType::kFloat32, x.shape());
    std::ranges::transform(x.data<float>(), y.mutable_data<float>().begin(), [&](float v) {
      return static_cast<float>(unary.exact(static_cast<double>(v)));
    });
    cases.push_back({unary.op, {x}, unary.attributes, {y}});
  }
}

}  // namespace

std::vector<OpCase> unary_cases() {
  std::vector<OpCase> cases;
  // 17 elements fill more than one vector of any width and leave a tail. 0.5 and 1.5 are left out,
  // because floats and doubles may lie on different sides of a threshold there.
  add(cases, functions(),
      floats({1, 17}, {-9, -4.5F, -3, -2.5F, -1.25F, -1, -0.75F, -0.25F, 0, 0.125F, 0.25F, 0.75F, 1,
                       2.5F, 3.25F, 7, 8}));
  add(cases, positive_functions(),
      floats({2, 5}, {1e-3F, 0.1F, 0.5F, 1, 1.5F, 2, 3, 10, 1e3F, 1e6F}));
  const Tensor odd = floats({4}, {NAN, INFINITY, -INFINITY, 0});
  cases.push_back({"Isnan", {odd}, {}, {bools({4}, {1, 0, 0, 0})}});
  cases.push_back({"Isinf", {odd}, {}, {bools({4}, {0, 1, 1, 0})}});
  cases.push_back({"Isfinite", {odd}, {}, {bools({4}, {0, 0, 0, 1})}});
  cases.push_back({"LogicalNot", {odd}, {}, {bools({4}, {0, 0, 0, 1})}});
  // The dtypes of Keras.
  cases.push_back({"Absolute", {bools({2}, {1, 0})}, {}, {bools({2}, {1, 0})}});
  cases.push_back({"Square", {bools({2}, {1, 0})}, {}, {ints({2}, {1, 0})}});
  cases.push_back({"Floor", {ints({2}, {3, -1})}, {}, {floats({2}, {3, -1})}});
  cases.push_back({"ConvertToTensor", {floats({1}, {1.5F})}, {}, {floats({1}, {1.5F})}});
  cases.push_back(
      {"ConvertToTensor", {floats({1}, {1.5F})}, dict({{"dtype", "int32"}}), {ints({1}, {1})}});
  cases.push_back({"Cast",
                   {floats({6}, {1.9F, -1.9F, 3e9F, -3e9F, NAN, 0})},
                   dict({{"dtype", "int32"}}),
                   {ints({6}, {1, -1, INT32_MAX, INT32_MIN, 0, 0})}});
  cases.push_back(
      {"Cast", {ints({3}, {-2, 0, 5})}, dict({{"dtype", "bool"}}), {bools({3}, {1, 0, 1})}});
  cases.push_back(
      {"Cast", {bools({2}, {1, 0})}, dict({{"dtype", "float32"}}), {floats({2}, {1, 0})}});
  return cases;
}

}  // namespace maskflow::test
