// SPDX-License-Identifier: MIT
#include "kernels/long_functions.hpp"

#include "kernels/math.hpp"

namespace maskflow::kernels {
namespace {

Vec keep_nan(const Vec& x, const Vec& y) { return xsimd::select(xsimd::isnan(x), x, y); }

}  // namespace

[[gnu::noinline]] Vec long_tanh(Vec x) { return tanh(x); }
[[gnu::noinline]] Vec log1p(Vec x) { return keep_nan(x, xsimd::log1p(x)); }
[[gnu::noinline]] Vec expm1(Vec x) { return keep_nan(x, xsimd::expm1(x)); }
[[gnu::noinline]] Vec erf(Vec x) { return keep_nan(x, xsimd::erf(x)); }

}  // namespace maskflow::kernels
