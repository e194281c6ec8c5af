// SPDX-License-Identifier: MIT
// Vector functions of one variable. Errors were measured against double over dense samples, in
// units in the last place (ULP): simd128 / relaxed.
#pragma once

#include <cstdint>

#include "kernels/simd.hpp"

namespace maskflow::kernels {

// The numbers that the functions below need, read from memory: V8 makes a vector constant anew, in
// four instructions, wherever it is used, and that took more than half of the time of exp.
struct MathNumbers {
  float log2_e, rounder, ln2_high, ln2_low;
  float c6, c5, c4, c3, c2;  // e^r = 1 + r + r^2 (c2 + ... + c6 r^4), to 3e-9 for |r| < 0.3466
  float exp_low, exp_high, tanh_low, tanh_high, one, two;
};
extern const MathNumbers math_numbers;

// Out of the compiler's sight, which would make constants of them again.
inline const MathNumbers& hidden_numbers() {
  const MathNumbers* numbers = &math_numbers;
  asm("" : "+r"(numbers));
  return *numbers;
}

// x within bounds; NaN stays NaN, for which the order of the arguments matters.
inline Vec clamp(const Vec& x, const Vec& low, const Vec& high) {
#if defined(__wasm__)
  return xsimd::max(xsimd::min(x, high), low);
#else
  return xsimd::max(low, xsimd::min(high, x));
#endif
}

// e^x = (1 + fraction) * power, where power is that of 2 next to e^x. For |x| < 89.
struct ExpParts {
  Vec fraction, power;
};

inline ExpParts exp_parts(const Vec& x, const MathNumbers& k) {
  // Adding the large number rounds x / ln 2 and leaves it, with the exponent's offset of 127, in
  // the low bits.
  const Vec rounder(k.rounder);
  const Vec rounded = xsimd::fma(x, Vec(k.log2_e), rounder);
  const Vec whole = rounded - rounder;
  const Vec r = xsimd::fnma(whole, Vec(k.ln2_low), xsimd::fnma(whole, Vec(k.ln2_high), x));
  Vec sum = xsimd::fma(r, Vec(k.c6), Vec(k.c5));
  sum = xsimd::fma(sum, r, Vec(k.c4));
  sum = xsimd::fma(sum, r, Vec(k.c3));
  sum = xsimd::fma(sum, r, Vec(k.c2));
  const auto bits = xsimd::bitwise_cast<std::int32_t>(rounded) << 23;
  return {xsimd::fma(sum, r * r, r), xsimd::bitwise_cast<float>(bits)};
}

inline Vec exp_with(const Vec& x, const MathNumbers& k) {
  const ExpParts parts = exp_parts(clamp(x, Vec(k.exp_low), Vec(k.exp_high)), k);
  return (Vec(k.one) + parts.fraction) * parts.power;
}

// e^x. 1.5 / 1.3 ULP on [-87.3, 88.3]; inf above 88.377, 0 below -88.03. NaN gives NaN.
inline Vec exp(const Vec& x) { return exp_with(x, hidden_numbers()); }

// tanh x. 1.28 / 1.28 ULP everywhere; NaN gives NaN.
inline Vec tanh(const Vec& x) { return xsimd::select(xsimd::isnan(x), x, xsimd::tanh(x)); }

// tanh x for gates, which are most of the work between two matrix products: 3.1 ULP everywhere, in
// a third of the time. NaN gives NaN, the sign of -0 is lost.
inline Vec gate_tanh(const Vec& x) {
  const MathNumbers& k = hidden_numbers();
  const ExpParts parts = exp_parts(clamp(x + x, Vec(k.tanh_low), Vec(k.tanh_high)), k);
  // e^2x - 1, without cancellation around 0.
  const Vec excess = xsimd::fma(parts.fraction, parts.power, parts.power - Vec(k.one));
  return excess / (excess + Vec(k.two));
}

// 1 / (1 + e^-x). 2.5 ULP above -87; 0 below -88.38. NaN gives NaN.
inline Vec sigmoid(const Vec& x) {
  const MathNumbers& k = hidden_numbers();
  const Vec one(k.one);
  return one / (one + exp_with(-x, k));
}

}  // namespace maskflow::kernels
