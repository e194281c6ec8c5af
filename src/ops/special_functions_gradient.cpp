// SPDX-License-Identifier: MIT
#include <array>

#include "ops/double_functions.hpp"
#include "ops/op_gradient.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

using ops::multiply;
using ops::number;
using ops::square;

constexpr double kDegree = 0.01745329251994329577;
constexpr double kTwoOverRootOfPi = 1.12837916709551257390;

Tensors deg2rad(const RecordedOp&, const Tensors& g) { return {multiply(g[0], number(kDegree))}; }
Tensors rad2deg(const RecordedOp&, const Tensors& g) {
  return {multiply(g[0], number(1 / kDegree))};
}
Tensors erfc(const RecordedOp& call, const Tensors& g) {
  const Tensor density = ops::exp(ops::negative(square(call.operands[0])));
  return {multiply(multiply(g[0], density), number(-kTwoOverRootOfPi))};
}
Tensors erfinv(const RecordedOp& call, const Tensors& g) {
  const Tensor slope = ops::exp(square(call.results[0]));
  return {multiply(multiply(g[0], slope), number(1 / kTwoOverRootOfPi))};
}

// The derivative of I0: the modified Bessel function of order 1, by its series.
double i1(double x) {
  double term = x / 2;
  double sum = term;
  for (int k = 1; k < 1000 && term * term > sum * sum * 1e-20; ++k) {
    term *= x * x / (4.0 * k * (k + 1));
    sum += term;
  }
  return sum;
}
Tensors i0(const RecordedOp& call, const Tensors& g) {
  Tensor slope(DType::kFloat32, g[0].shape());
  const void* const x = call.operands[0].raw();
  each_number<i1>(&x, slope.mutable_raw(), slope.size());
  return {multiply(g[0], slope)};
}

// With respect to the quotient, the remainder changes by minus the whole multiples.
Tensors fmod(const RecordedOp& call, const Tensors& g) {
  const Tensor& x = call.operands[0];
  const Tensor& y = call.operands[1];
  const Tensor multiples = ops::divide(ops::subtract(call.results[0], x), y);
  return {g[0], multiply(g[0], ops::round(multiples))};
}
Tensors heaviside(const RecordedOp& call, const Tensors& g) {
  const Tensor is_zero = ops::cast(ops::equal(call.operands[0], number(0)), DType::kFloat32);
  return {multiply(g[0], number(0)), multiply(g[0], is_zero)};
}
Tensors ldexp(const RecordedOp& call, const Tensors& g) {
  // The exponent is an integer: a float counts without its fraction.
  const Tensor& exponent = call.operands[1];
  return {apply_op1("Ldexp", std::array{g[0], exponent}, {}), multiply(g[0], number(0))};
}
// The result moves with x1. PyTorch has no derivative.
Tensors nextafter(const RecordedOp&, const Tensors& g) { return {g[0], multiply(g[0], number(0))}; }
Tensors logaddexp2(const RecordedOp& call, const Tensors& g) {
  const auto share = [&](const Tensor& x) {
    const Tensor part = ops::unary("Exp2", ops::subtract(x, call.results[0]));
    return multiply(g[0], part);
  };
  return {share(call.operands[0]), share(call.operands[1])};
}

constexpr OpGradient kGradients[] = {
    {"Deg2rad", deg2rad},
    {"Rad2deg", rad2deg},
    {"Erfc", erfc},
    {"Erfinv", erfinv},
    {"I0", i0},
    {"Fabs"},
    {"Sinc"},
    {"Fmax"},
    {"Fmin"},
    {"Fmod", fmod},
    {"Heaviside", heaviside},
    {"Ldexp", ldexp},
    {"Logaddexp2", logaddexp2},
    {"Nextafter", nextafter},
};
const RegisterOpGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
