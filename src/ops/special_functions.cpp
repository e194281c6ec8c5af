// SPDX-License-Identifier: MIT
// Error functions, a Bessel function, angles, and other functions of numbers that few models
// contain.
#include <cmath>

#include "ops/double_functions.hpp"
#include "ops/elementwise.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kRootOfPi = 1.77245385090551602730;
constexpr double kLogOf2 = 0.69314718055994530942;

double deg2rad(double x) { return x * (kPi / 180); }
double rad2deg(double x) { return x * (180 / kPi); }

// 1 - erf(x) by a series without cancellation near 0, and a continued fraction elsewhere
// (Abramowitz and Stegun 1964, 7.1.6 and 7.1.14).
double erfc(double x) {
  const double size = std::fabs(x);
  const double density = std::exp(-size * size) / kRootOfPi;
  constexpr double kSmall = 1.5;
  if (size < kSmall) {
    double term = 2 * x * density;
    double sum = term;
    for (int n = 1; n < 30; ++n) {
      term *= 2 * x * x / (2 * n + 1);
      sum += term;
    }
    return 1 - sum;
  }
  double rest = 0;
  for (int n = 40; n > 0; --n) rest = n / 2.0 / (size + rest);
  const double tail = density / (size + rest);
  return x < 0 ? 2 - tail : tail;
}

// Newton's method, from the approximation of Winitzki (2008).
double erfinv(double x) {
  const double size = std::fabs(x);
  if (size == 1) return std::copysign(HUGE_VAL, x);
  // Below this, 1 - size loses digits of x. The next term of the series is below 1e-12 of the
  // result.
  if (size < 1e-3) return x * (kRootOfPi / 2) * (1 + kPi / 12 * x * x);
  constexpr double kShape = 0.147;
  const double log_rest = std::log((1 - size) * (1 + size));
  const double part = 2 / (kPi * kShape) + log_rest / 2;
  double y = std::sqrt(std::sqrt(part * part - log_rest / kShape) - part);
  for (int step = 0; step < 4; ++step) {
    y += (erfc(y) - (1 - size)) * kRootOfPi / 2 * std::exp(y * y);
  }
  return std::copysign(y, x);
}

// The modified Bessel function of the first kind and order 0, by its series, which has no
// cancellation.
double i0(double x) {
  double term = 1;
  double sum = 1;
  for (int k = 1; k < 1000 && term > sum * 1e-10; ++k) {
    term *= x * x / (4.0 * k * k);
    sum += term;
  }
  return x == x ? sum : x;
}

double fmod(double x, double y) { return std::fmod(x, y); }
double heaviside(double x, double at_zero) { return x == 0 ? at_zero : x > 0 ? 1 : x < 0 ? 0 : x; }
double ldexp(double x, double exponent) {
  constexpr double kMax = 1000;
  return std::ldexp(x, static_cast<int>(std::fmin(std::fmax(exponent, -kMax), kMax)));
}
double logaddexp2(double x, double y) {
  if (x == y) return x + 1;
  const double larger = x > y ? x : y;
  return larger + std::log1p(std::exp(-std::fabs(x - y) * kLogOf2)) / kLogOf2;
}
double nextafter(double x, double to) {
  return static_cast<double>(std::nextafter(static_cast<float>(x), static_cast<float>(to)));
}

void each_remainder(const void* const* in, void* out, std::size_t n) {
  const auto* const x = static_cast<const std::int32_t*>(in[0]);
  const auto* const y = static_cast<const std::int32_t*>(in[1]);
  auto* const to = static_cast<std::int32_t*>(out);
  for (std::size_t i = 0; i < n; ++i) to[i] = y[i] == 0 || y[i] == -1 ? 0 : x[i] % y[i];
}
constexpr kernels::Elementwise kFmod{each_pair<fmod>, each_remainder};
// As in Keras, booleans count as integers.
Tensors remainder(Operands x, const OpAttributes& attributes) {
  const Tensor result = elementwise(x, attributes).front();
  return {result.dtype() == DType::kBool ? ops::cast(result, DType::kInt32) : result};
}

Tensors fabs(Operands x, const OpAttributes&) {
  return {ops::absolute(ops::cast(x[0], DType::kFloat32))};
}

Tensors sinc(Operands x, const OpAttributes&) {
  const Tensor angle = ops::multiply(x[0], ops::number(kPi));
  const Tensor is_zero = ops::equal(x[0], ops::number(0));
  const Tensor safe = ops::where(is_zero, ops::number(1), angle);
  return {ops::where(is_zero, ops::number(1), ops::divide(ops::sin(safe), safe))};
}

// The larger or smaller number; NaN only if both are NaN.
template <Tensor (*F)(const Tensor&, const Tensor&)>
Tensors without_nan(Operands x, const OpAttributes&) {
  const auto instead = [](const Tensor& a, const Tensor& b) {
    return ops::where(ops::unary("Isnan", a), b, a);
  };
  return {F(instead(x[0], x[1]), instead(x[1], x[0]))};
}

constexpr OpDef kOps[] = {
    {"Deg2rad", "x", {}, "Converts degrees to radians.", elementwise, &kOne<deg2rad>},
    {"Rad2deg", "x", {}, "Converts radians to degrees.", elementwise, &kOne<rad2deg>},
    {"Erfc", "x", {}, "1 - erf(x), accurate for large x.", elementwise, &kOne<erfc>},
    {"Erfinv", "x", {}, "The inverse of erf; NaN beyond -1 and 1.", elementwise, &kOne<erfinv>},
    {"I0",
     "x",
     {},
     "The modified Bessel function of the first kind and order 0.",
     elementwise,
     &kOne<i0>},
    {"Fabs", "x", {}, "|x|, always float32.", fabs},
    {"Sinc", "x", {}, "sin(pi x) / (pi x); 1 at 0.", sinc},
    {"Fmax",
     "x1 x2",
     {},
     "The larger of x1 and x2; NaN only if both are.",
     without_nan<ops::maximum>},
    {"Fmin",
     "x1 x2",
     {},
     "The smaller of x1 and x2; NaN only if both are.",
     without_nan<ops::minimum>},
    {"Fmod",
     "x1 x2",
     {},
     "The remainder of x1 / x2, with the sign of x1. An integer modulo 0 is 0.",
     remainder,
     &kFmod},
    {"Heaviside",
     "x1 x2",
     {},
     "0 where x1 is negative, 1 where it is positive, x2 where it is 0.",
     elementwise,
     &kTwo<heaviside>},
    {"Ldexp", "x1 x2", {}, "x1 times 2 to the power of the integer x2.", elementwise, &kTwo<ldexp>},
    {"Logaddexp2",
     "x1 x2",
     {},
     "log2(2^x1 + 2^x2), without overflow.",
     elementwise,
     &kTwo<logaddexp2>},
    {"Nextafter",
     "x1 x2",
     {},
     "The float32 number next to x1 in the direction of x2.",
     elementwise,
     &kTwo<nextafter>},
};
const RegisterOps registration{kOps, "maskflow/train"};

}  // namespace
}  // namespace maskflow
