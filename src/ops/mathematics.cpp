// SPDX-License-Identifier: MIT
// Further functions of one or two numbers.
#include <cmath>

#include "ops/double_functions.hpp"
#include "ops/elementwise.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

double arctan2(double y, double x) { return std::atan2(y, x); }
double arctan(double x) { return std::atan2(x, 1); }
// The other side of the right triangle, without cancellation near 1.
double side(double x) { return std::sqrt((1 - x) * (1 + x)); }
double arcsin(double x) { return std::atan2(x, side(x)); }
double arccos(double x) { return std::atan2(side(x), x); }

// Below this, x and its square differ from the results by less than float32 shows.
constexpr double kTiny = 1e-4;
double sinh(double x) { return std::fabs(x) < kTiny ? x : (std::exp(x) - std::exp(-x)) / 2; }
double cosh(double x) { return (std::exp(x) + std::exp(-x)) / 2; }
double arcsinh(double x) {
  if (std::isinf(x)) return x;
  const double size = std::fabs(x);
  return std::copysign(std::log1p(size + size * size / (1 + std::sqrt(1 + size * size))), x);
}
double arccosh(double x) { return std::log(x + std::sqrt(x - 1) * std::sqrt(x + 1)); }
double arctanh(double x) { return std::log1p(2 * x / (1 - x)) / 2; }

constexpr double kLogOf2 = 0.69314718055994530942;
constexpr double kLogOf10 = 2.30258509299404568402;
double log2(double x) { return std::log(x) * (1 / kLogOf2); }
double log10(double x) { return std::log(x) * (1 / kLogOf10); }
double exp2(double x) { return std::exp(x * kLogOf2); }
double cbrt(double x) {
  return x == 0 ? x : std::copysign(std::exp(std::log(std::fabs(x)) / 3), x);
}
// The square of a float32 is exact in double. An infinity wins against NaN.
double hypot(double x, double y) {
  return std::isinf(x) || std::isinf(y) ? HUGE_VAL : std::sqrt(x * x + y * y);
}

Tensors tan(Operands x, const OpAttributes&) {
  return {ops::divide(ops::sin(x[0]), ops::cos(x[0]))};
}

// Towards 0.
Tensors trunc(Operands x, const OpAttributes&) {
  if (x[0].dtype() != DType::kFloat32) return {x[0]};
  return {ops::where(ops::less(x[0], Tensor::scalar(DType::kInt32, 0)), ops::unary("Ceil", x[0]),
                     ops::unary("Floor", x[0]))};
}

// The difference of equal infinities is NaN, so equal operands are a case of their own. The
// difference of integers could wrap.
Tensors logaddexp(Operands x, const OpAttributes&) {
  const Tensor a = ops::cast(x[0], DType::kFloat32);
  const Tensor b = ops::cast(x[1], DType::kFloat32);
  const Tensor larger = ops::maximum(a, b);
  const Tensor gap = ops::absolute(ops::subtract(a, b));
  const Tensor safe = ops::where(ops::equal(a, b), ops::number(0), gap);
  return {ops::add(larger, ops::unary("Log1p", ops::exp(ops::negative(safe))))};
}

constexpr OpDef kOps[] = {
    {"Arccos",
     "x",
     {},
     "The arccosine, in radians; NaN beyond -1 and 1.",
     elementwise,
     &kOne<arccos>},
    {"Arccosh", "x", {}, "The inverse of cosh; NaN below 1.", elementwise, &kOne<arccosh>},
    {"Arcsin",
     "x",
     {},
     "The arcsine, in radians; NaN beyond -1 and 1.",
     elementwise,
     &kOne<arcsin>},
    {"Arcsinh", "x", {}, "The inverse of sinh.", elementwise, &kOne<arcsinh>},
    {"Arctan", "x", {}, "The arctangent, in radians.", elementwise, &kOne<arctan>},
    {"Arctan2",
     "x1 x2",
     {},
     "The angle of the point (x2, x1), in radians from -pi to pi.",
     elementwise,
     &kTwo<arctan2>},
    {"Arctanh", "x", {}, "The inverse of tanh; NaN beyond -1 and 1.", elementwise, &kOne<arctanh>},
    {"Cbrt", "x", {}, "The cube root.", elementwise, &kOne<cbrt>},
    {"Cosh", "x", {}, "The hyperbolic cosine.", elementwise, &kOne<cosh>},
    {"Exp2", "x", {}, "2^x.", elementwise, &kOne<exp2>},
    {"Hypot", "x1 x2", {}, "sqrt(x1^2 + x2^2).", elementwise, &kTwo<hypot>},
    {"Log10", "x", {}, "The logarithm to base 10; NaN below 0.", elementwise, &kOne<log10>},
    {"Log2", "x", {}, "The logarithm to base 2; NaN below 0.", elementwise, &kOne<log2>},
    {"Sinh", "x", {}, "The hyperbolic sine.", elementwise, &kOne<sinh>},
    {"Tan", "x", {}, "The tangent of x, in radians.", tan},
    {"Trunc", "x", {}, "x without its fraction.", trunc},
    {"Logaddexp", "x1 x2", {}, "log(e^x1 + e^x2), without overflow.", logaddexp},
};
const RegisterOps registration{kOps, "maskflow/train"};

}  // namespace
}  // namespace maskflow
