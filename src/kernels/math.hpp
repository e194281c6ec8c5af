// SPDX-License-Identifier: MIT
// Vector functions of one variable. Their errors, in units in the last place (ULP), were measured
// against double precision on dense samples: in the simd / in the relaxed variant.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "kernels/simd.hpp"

namespace maskflow::kernels {

// Constants of the functions below, read from memory. V8 rebuilds a vector constant at each use, in
// four instructions, which took more than half of the time of exp.
struct MathNumbers {
  float log2_e, rounder, ln2_high, ln2_low;
  float c6, c5, c4, c3, c2;  // e^r = 1 + r + r^2 (c2 + ... + c6 r^4), to 3e-9 for |r| < 0.3466
  float exp_low, exp_high, tanh_low, tanh_high, one, two;
};
extern const MathNumbers math_numbers;

// Hides the numbers from the compiler, which would turn them into constants again, or keep more of
// them than there are registers. It is a pointer because a compiler may read the target of a
// reference as whole vectors, which costs a shuffle per number; a pointer costs one splatting load.
inline const MathNumbers* hidden_numbers() {
  const MathNumbers* numbers = &math_numbers;
  asm volatile("" : "+r"(numbers));
  return numbers;
}

// Clips x to the bounds. NaN stays NaN, for which the order of the arguments matters.
inline Vec clamp(const Vec& x, const Vec& low, const Vec& high) {
#if defined(__wasm__)
  return xsimd::max(xsimd::min(x, high), low);
#else
  return xsimd::max(low, xsimd::min(high, x));
#endif
}

// e^x = (1 + fraction) * power, where power is the power of 2 nearest to e^x. For |x| < 89.
struct ExpParts {
  Vec fraction, power;
};

// Computes the parts of N vectors side by side. A single one is a chain of dependent instructions,
// which processors cannot look far enough ahead to overlap with the next.
template <std::size_t N>
std::array<ExpParts, N> exp_parts(const std::array<Vec, N>& x, const MathNumbers* k) {
  const auto each = [](auto&& make) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::array<Vec, N>{make(I)...};
    }
    (std::make_index_sequence<N>());
  };
  using xsimd::fma, xsimd::fnma;
  // Adding the large number rounds x / ln 2 to an integer, which is then in the low bits, plus the
  // exponent's bias of 127.
  const Vec rounder(k->rounder);
  const auto rounded = each([&](std::size_t i) { return fma(x[i], Vec(k->log2_e), rounder); });
  const auto whole = each([&](std::size_t i) { return rounded[i] - rounder; });
  const auto near = each([&](std::size_t i) { return fnma(whole[i], Vec(k->ln2_high), x[i]); });
  const auto r = each([&](std::size_t i) { return fnma(whole[i], Vec(k->ln2_low), near[i]); });
  const auto high = each([&](std::size_t i) { return fma(r[i], Vec(k->c6), Vec(k->c5)); });
  const auto low = each([&](std::size_t i) { return fma(r[i], Vec(k->c3), Vec(k->c2)); });
  const auto upper = each([&](std::size_t i) { return fma(r[i], high[i], Vec(k->c4)); });
  const auto square = each([&](std::size_t i) { return r[i] * r[i]; });
  const auto sum = each([&](std::size_t i) { return fma(square[i], upper[i], low[i]); });
  std::array<ExpParts, N> parts;
  for (std::size_t i = 0; i < N; ++i) {
    const auto bits = xsimd::bitwise_cast<std::int32_t>(rounded[i]) << 23;
    parts[i] = {fma(sum[i], square[i], r[i]), xsimd::bitwise_cast<float>(bits)};
  }
  return parts;
}

// e^x. 1.5 / 1.3 ULP on [-87.3, 88.3]; inf above 88.377, 0 below -88.03; NaN for NaN.
inline Vec exp(const Vec& x) {
  const MathNumbers* k = hidden_numbers();
  const auto [parts] = exp_parts<1>({clamp(x, Vec(k->exp_low), Vec(k->exp_high))}, k);
  return (Vec(k->one) + parts.fraction) * parts.power;
}

// e^x - 1 for x <= 0. 1.9 / 1.8 ULP; the sign of -0 is lost; not for NaN.
inline Vec expm1_below(const Vec& x) {
  const MathNumbers* k = hidden_numbers();
  const auto [parts] = exp_parts<1>({xsimd::max(x, Vec(k->exp_low))}, k);
  return xsimd::fma(parts.fraction, parts.power, parts.power - Vec(k->one));
}

// tanh x. 1.28 / 1.28 ULP everywhere; NaN for NaN.
inline Vec tanh(const Vec& x) { return xsimd::select(xsimd::isnan(x), x, xsimd::tanh(x)); }

// A fraction that is not yet divided: a product of fractions needs only one division.
struct Quotient {
  Vec over, under;
  [[nodiscard]] Vec value() const { return over / under; }
};
inline Quotient operator*(const Quotient& a, const Quotient& b) {
  return {a.over * b.over, a.under * b.under};
}

// tanh x = (e^2x - 1) / (e^2x + 1): first the exponent 2x, then tanh from the parts of e^2x.
inline Vec tanh_exponent(const Vec& x, const MathNumbers* k) {
  return clamp(x + x, Vec(k->tanh_low), Vec(k->tanh_high));
}
inline Quotient tanh_of(const ExpParts& parts, const MathNumbers* k) {
  // e^2x - 1, without cancellation around 0.
  const Vec excess = xsimd::fma(parts.fraction, parts.power, parts.power - Vec(k->one));
  return {excess, excess + Vec(k->two)};
}

// 1 / (1 + e^-x) = e^x / (e^x + 1): first the exponent, clipped where the result is 1, then the
// sigmoid from the parts of e^x.
inline Vec sigmoid_exponent(const Vec& x, const MathNumbers* k) {
  return clamp(x, Vec(k->exp_low), Vec(k->tanh_high));
}
inline Quotient sigmoid_of(const ExpParts& parts, const MathNumbers* k) {
  const Vec power = xsimd::fma(parts.fraction, parts.power, parts.power);
  return {power, power + Vec(k->one)};
}

// tanh x for gates, which dominate the work between two matrix products. 3.1 ULP everywhere, in a
// third of the time of tanh(). NaN for NaN; the sign of -0 is lost.
inline Vec gate_tanh(const Vec& x) {
  const MathNumbers* k = hidden_numbers();
  return tanh_of(exp_parts<1>({tanh_exponent(x, k)}, k)[0], k).value();
}

// 1 / (1 + e^-x). 2.5 ULP above -87; 0 below -88.03; NaN for NaN.
inline Vec sigmoid(const Vec& x) {
  const MathNumbers* k = hidden_numbers();
  return sigmoid_of(exp_parts<1>({sigmoid_exponent(x, k)}, k)[0], k).value();
}

}  // namespace maskflow::kernels
