// SPDX-License-Identifier: MIT
// Derivatives of the elementwise functions. At kinks they are those of Keras's torch backend: ties
// of Maximum and Minimum share the gradient equally, and Clip passes it on at its bounds.
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
Tensors multiply_operands(const RecordedOp& call, const Tensors& g) {
  return {call.needs[0] ? multiply(g[0], call.operands[1]) : Tensor(),
          call.needs[1] ? multiply(g[0], call.operands[0]) : Tensor()};
}
Tensors divide(const RecordedOp& call, const Tensors& g) {
  const Tensor first = ops::divide(g[0], call.operands[1]);
  if (!call.needs[1]) return {first};
  return {first, ops::negative(multiply(first, call.results[0]))};
}
Tensors mod(const RecordedOp& call, const Tensors& g) {
  const Tensor quotient = ops::floor_divide(call.operands[0], call.operands[1]);
  return {g[0], ops::negative(multiply(g[0], ops::cast(quotient, DType::kFloat32)))};
}

// The derivatives of x^0 with respect to x and of 0^y with respect to y are 0, never NaN.
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

// A comparison of a and b. The gradient goes to the operand for which it is true; equal operands
// share it.
using Comparison = Tensor (*)(const Tensor& a, const Tensor& b);
Tensors extreme(const RecordedOp& call, const Tensors& g, Comparison wins) {
  const Tensor& a = call.operands[0];
  const Tensor& b = call.operands[1];
  const Tensor half = multiply(g[0], number(0.5));
  const Tensor zero = number(0);
  const auto part = [&](const Tensor& x, const Tensor& other) {
    return ops::where(ops::equal(x, other), half, ops::where(wins(x, other), g[0], zero));
  };
  return {call.needs[0] ? part(a, b) : Tensor(), call.needs[1] ? part(b, a) : Tensor()};
}
Tensors maximum(const RecordedOp& call, const Tensors& g) { return extreme(call, g, ops::greater); }
Tensors minimum(const RecordedOp& call, const Tensors& g) { return extreme(call, g, ops::less); }

Tensors where(const RecordedOp& call, const Tensors& g) {
  const Tensor& condition = call.operands[0];
  // Selects instead of multiplying, because 0 times infinity is NaN.
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

// Returns the derivative at x, where the function has the value y.
using Slope = Tensor (*)(const Tensor& x, const Tensor& y);
template <Slope F>
Tensors chain(const RecordedOp& call, const Tensors& g) {
  return {multiply(g[0], F(call.operands[0], call.results[0]))};
}

Tensor minus_one(const Tensor&, const Tensor&) { return number(-1); }
Tensor sign(const Tensor& x, const Tensor&) { return ops::sign(x); }
Tensor double_x(const Tensor& x, const Tensor&) { return multiply(x, number(2)); }
Tensor reciprocal(const Tensor& x, const Tensor&) { return ops::reciprocal(x); }
Tensor reciprocal_of_next(const Tensor& x, const Tensor&) {
  return ops::reciprocal(ops::add(x, number(1)));
}
Tensor next(const Tensor&, const Tensor& y) { return ops::add(y, number(1)); }
Tensor sqrt_slope(const Tensor&, const Tensor& y) { return ops::divide(number(0.5), y); }
Tensor rsqrt_slope(const Tensor&, const Tensor& y) {
  return multiply(number(-0.5), multiply(y, ops::square(y)));
}
Tensor reciprocal_slope(const Tensor&, const Tensor& y) { return ops::negative(ops::square(y)); }
Tensor erf_slope(const Tensor& x, const Tensor&) {
  const Tensor exponent = ops::negative(ops::square(x));
  return multiply(number(2 / std::sqrt(3.14159265358979323846)), ops::exp(exponent));
}
Tensor cosine(const Tensor& x, const Tensor&) { return ops::cos(x); }
Tensor minus_sine(const Tensor& x, const Tensor&) { return ops::negative(ops::sin(x)); }

constexpr OpGradient kGradients[] = {
    {"Add", add},
    {"Subtract", subtract},
    {"Multiply", multiply_operands},
    {"TrueDivide", divide},
    {"Divide", divide},
    {"FloorDivide", zero},
    {"Mod", mod},
    {"Power", power},
    {"Maximum", maximum},
    {"Minimum", minimum},
    {"Absolute", chain<sign>},
    {"Negative", chain<minus_one>},
    {"Square", chain<double_x>},
    {"Sign", zero},
    {"Floor", zero},
    {"Ceil", zero},
    {"Round", zero},
    {"Log", chain<reciprocal>},
    {"Log1p", chain<reciprocal_of_next>},
    {"Expm1", chain<next>},
    {"Sqrt", chain<sqrt_slope>},
    {"Rsqrt", chain<rsqrt_slope>},
    {"Reciprocal", chain<reciprocal_slope>},
    {"Erf", chain<erf_slope>},
    {"Sin", chain<cosine>},
    {"Cos", chain<minus_sine>},
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
