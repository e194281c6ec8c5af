// SPDX-License-Identifier: MIT
// Derivatives of the functions of each element. At kinks as Keras's torch back end has them: ties
// of Maximum and Minimum share equally, Clip passes the gradient at its bounds.
#include <array>
#include <cmath>

#include "ops/op_gradient.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

using ops::multiply;

Tensor number(double x) { return Tensor::scalar(DType::kFloat32, x); }

Tensors add(const RecordedOp&, const Tensors& g) { return {g[0], g[0]}; }
Tensors subtract(const RecordedOp& call, const Tensors& g) {
  return {g[0], call.needs[1] ? ops::negative(g[0]) : Tensor()};
}
Tensors multiplied(const RecordedOp& call, const Tensors& g) {
  return {call.needs[0] ? multiply(g[0], call.operands[1]) : Tensor(),
          call.needs[1] ? multiply(g[0], call.operands[0]) : Tensor()};
}
Tensors divide(const RecordedOp& call, const Tensors& g) {
  const Tensor first = ops::divide(g[0], call.operands[1]);
  if (!call.needs[1]) return {first};
  return {first, ops::negative(multiply(first, call.results[0]))};
}
Tensors mod(const RecordedOp& call, const Tensors& g) {
  const Tensor whole = ops::floor_divide(call.operands[0], call.operands[1]);
  return {g[0], ops::negative(multiply(g[0], ops::cast(whole, DType::kFloat32)))};
}

// No derivative of x^0 with respect to x, nor of 0^y with respect to y, is NaN.
Tensors power(const RecordedOp& call, const Tensors& g) {
  const Tensor& x = call.operands[0];
  const Tensor& y = call.operands[1];
  Tensor base, exponent;
  if (call.needs[0]) {
    const Tensor lower = ops::power(x, ops::subtract(y, number(1)));
    const Tensor slope = ops::where(ops::equal(y, number(0)), number(0), multiply(y, lower));
    base = multiply(g[0], slope);
  }
  if (call.needs[1]) {
    const Tensor slope = multiply(call.results[0], ops::log(x));
    exponent = multiply(g[0], ops::where(ops::equal(x, number(0)), number(0), slope));
  }
  return {base, exponent};
}

using Comparison = Tensor (*)(const Tensor& a, const Tensor& b);
Tensors shared(const RecordedOp& call, const Tensors& g, Comparison wins) {
  const Tensor& a = call.operands[0];
  const Tensor& b = call.operands[1];
  const Tensor half = multiply(g[0], number(0.5));
  const Tensor none = number(0);
  const auto part = [&](const Tensor& x, const Tensor& other) {
    return ops::where(ops::equal(x, other), half, ops::where(wins(x, other), g[0], none));
  };
  return {call.needs[0] ? part(a, b) : Tensor(), call.needs[1] ? part(b, a) : Tensor()};
}
Tensors maximum(const RecordedOp& call, const Tensors& g) { return shared(call, g, ops::greater); }
Tensors minimum(const RecordedOp& call, const Tensors& g) { return shared(call, g, ops::less); }

Tensors where(const RecordedOp& call, const Tensors& g) {
  const Tensor& condition = call.operands[0];
  // Selected, not multiplied: 0 times infinity is NaN.
  return {Tensor(), call.needs[1] ? ops::where(condition, g[0], number(0)) : Tensor(),
          call.needs[2] ? ops::where(condition, number(0), g[0]) : Tensor()};
}
Tensors clip(const RecordedOp& call, const Tensors& g) {
  const Tensor& x = call.operands[0];
  const Tensor low = number(call.settings().number("x_min"));
  const Tensor high = number(call.settings().number("x_max"));
  const Tensor within = ops::logical_and(ops::greater_equal(x, low), ops::less_equal(x, high));
  return {ops::where(within, g[0], number(0))};
}

Tensors zero(const RecordedOp& call, const Tensors&) {
  Tensors zeros;
  for (const Tensor& operand : call.operands) {
    zeros.push_back(Tensor::zeros(DType::kFloat32, operand.shape()));
  }
  return zeros;
}

// The derivative at x, where y is the value.
using Slope = Tensor (*)(const Tensor& x, const Tensor& y);
template <Slope F>
Tensors times(const RecordedOp& call, const Tensors& g) {
  return {multiply(g[0], F(call.operands[0], call.results[0]))};
}

Tensor minus_one(const Tensor&, const Tensor&) { return number(-1); }
Tensor sign(const Tensor& x, const Tensor&) { return ops::sign(x); }
Tensor twice(const Tensor& x, const Tensor&) { return multiply(x, number(2)); }
Tensor inverse(const Tensor& x, const Tensor&) { return ops::reciprocal(x); }
Tensor inverse_of_next(const Tensor& x, const Tensor&) {
  return ops::reciprocal(ops::add(x, number(1)));
}
Tensor one_more(const Tensor&, const Tensor& y) { return ops::add(y, number(1)); }
Tensor of_root(const Tensor&, const Tensor& y) { return ops::divide(number(0.5), y); }
Tensor of_inverse_root(const Tensor&, const Tensor& y) {
  return multiply(number(-0.5), multiply(y, ops::square(y)));
}
Tensor of_inverse(const Tensor&, const Tensor& y) { return ops::negative(ops::square(y)); }
Tensor of_erf(const Tensor& x, const Tensor&) {
  const Tensor exponent = ops::negative(ops::square(x));
  return multiply(number(2 / std::sqrt(3.14159265358979323846)), ops::exp(exponent));
}
Tensor cosine(const Tensor& x, const Tensor&) { return ops::cos(x); }
Tensor minus_sine(const Tensor& x, const Tensor&) { return ops::negative(ops::sin(x)); }

constexpr OpGradient kGradients[] = {
    {"Add", add},
    {"Subtract", subtract},
    {"Multiply", multiplied},
    {"TrueDivide", divide},
    {"Divide", divide},
    {"FloorDivide", zero},
    {"Mod", mod},
    {"Power", power},
    {"Maximum", maximum},
    {"Minimum", minimum},
    {"Absolute", times<sign>},
    {"Negative", times<minus_one>},
    {"Square", times<twice>},
    {"Sign", zero},
    {"Floor", zero},
    {"Ceil", zero},
    {"Round", zero},
    {"Log", times<inverse>},
    {"Log1p", times<inverse_of_next>},
    {"Expm1", times<one_more>},
    {"Sqrt", times<of_root>},
    {"Rsqrt", times<of_inverse_root>},
    {"Reciprocal", times<of_inverse>},
    {"Erf", times<of_erf>},
    {"Sin", times<cosine>},
    {"Cos", times<minus_sine>},
    {"Where", where},
    {"Clip", clip},
    {"ConvertToTensor"},
    {"OnesLike", zero},
    {"ZerosLike", zero},
    {"FullLike", zero},
};
const RegisterOpGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
