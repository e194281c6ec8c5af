// SPDX-License-Identifier: MIT
#include "ops/op_gradient.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

using ops::divide;
using ops::multiply;
using ops::number;
using ops::square;

// The derivative at x, where the function has the value y.
using Slope = Tensor (*)(const Tensor& x, const Tensor& y);
template <Slope F>
Tensors chain(const RecordedOp& call, const Tensors& g) {
  return {multiply(g[0], F(call.operands[0], call.results[0]))};
}

Tensor one_minus_square(const Tensor& x) { return ops::subtract(number(1), square(x)); }
Tensor one_plus_square(const Tensor& x) { return ops::add(square(x), number(1)); }

Tensor arcsin(const Tensor& x, const Tensor&) { return ops::rsqrt(one_minus_square(x)); }
Tensor arccos(const Tensor& x, const Tensor& y) { return ops::negative(arcsin(x, y)); }
Tensor arctan(const Tensor& x, const Tensor&) { return ops::reciprocal(one_plus_square(x)); }
Tensor arcsinh(const Tensor& x, const Tensor&) { return ops::rsqrt(one_plus_square(x)); }
Tensor arccosh(const Tensor& x, const Tensor&) {
  return ops::rsqrt(ops::subtract(square(x), number(1)));
}
Tensor arctanh(const Tensor& x, const Tensor&) { return ops::reciprocal(one_minus_square(x)); }
Tensor cbrt(const Tensor&, const Tensor& y) {
  return ops::reciprocal(multiply(number(3), square(y)));
}
Tensor cosh(const Tensor& x, const Tensor&) { return ops::unary("Sinh", x); }
Tensor sinh(const Tensor& x, const Tensor&) { return ops::unary("Cosh", x); }
Tensor exp2(const Tensor&, const Tensor& y) { return multiply(y, number(0.69314718055994530942)); }
Tensor log2(const Tensor& x, const Tensor&) {
  return ops::reciprocal(multiply(x, number(0.69314718055994530942)));
}
Tensor log10(const Tensor& x, const Tensor&) {
  return ops::reciprocal(multiply(x, number(2.30258509299404568402)));
}

Tensors arctan2(const RecordedOp& call, const Tensors& g) {
  const Tensor& y = call.operands[0];
  const Tensor& x = call.operands[1];
  const Tensor part = divide(g[0], ops::add(square(x), square(y)));
  return {multiply(part, x), ops::negative(multiply(part, y))};
}
Tensors hypot(const RecordedOp& call, const Tensors& g) {
  const Tensor part = divide(g[0], call.results[0]);
  return {multiply(part, call.operands[0]), multiply(part, call.operands[1])};
}

constexpr OpGradient kGradients[] = {
    {"Arccos", chain<arccos>},
    {"Arccosh", chain<arccosh>},
    {"Arcsin", chain<arcsin>},
    {"Arcsinh", chain<arcsinh>},
    {"Arctan", chain<arctan>},
    {"Arctan2", arctan2},
    {"Arctanh", chain<arctanh>},
    {"Cbrt", chain<cbrt>},
    {"Cosh", chain<cosh>},
    {"Exp2", chain<exp2>},
    {"Hypot", hypot},
    {"Log10", chain<log10>},
    {"Log2", chain<log2>},
    {"Sinh", chain<sinh>},
    {"Tan"},
    {"Trunc"},
    {"Logaddexp"},
};
const RegisterOpGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
