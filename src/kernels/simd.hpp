// SPDX-License-Identifier: MIT
// The only file that includes xsimd. Vec is the widest float vector of the target.
#pragma once

#include <algorithm>
#include <cstddef>
#include <xsimd/xsimd.hpp>

#include "kernels/loops.hpp"

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

#if defined(__wasm_relaxed_simd__)
// xsimd does not support relaxed SIMD: its fma is a multiplication and an addition. These
// specialisations use the fused instructions. A compiler flag is not an alternative, because clang
// 21 orders the operands of its own fusions wrongly.
namespace xsimd {
using f32x4_wasm = batch<float, wasm>;
template <>
XSIMD_INLINE f32x4_wasm fma<float, wasm>(f32x4_wasm const& x, f32x4_wasm const& y,
                                         f32x4_wasm const& z) noexcept {
  return wasm_f32x4_relaxed_madd(x, y, z);
}
template <>
XSIMD_INLINE f32x4_wasm fms<float, wasm>(f32x4_wasm const& x, f32x4_wasm const& y,
                                         f32x4_wasm const& z) noexcept {
  return wasm_f32x4_relaxed_madd(x, y, wasm_f32x4_neg(z));
}
template <>
XSIMD_INLINE f32x4_wasm fnma<float, wasm>(f32x4_wasm const& x, f32x4_wasm const& y,
                                          f32x4_wasm const& z) noexcept {
  return wasm_f32x4_relaxed_nmadd(x, y, z);
}
template <>
XSIMD_INLINE f32x4_wasm fnms<float, wasm>(f32x4_wasm const& x, f32x4_wasm const& y,
                                          f32x4_wasm const& z) noexcept {
  return wasm_f32x4_relaxed_nmadd(x, y, wasm_f32x4_neg(z));
}
}  // namespace xsimd
#endif

namespace maskflow::kernels {

using Vec = xsimd::batch<float>;
inline constexpr std::size_t kLanes = Vec::size;

// Loads n < kLanes floats, for the tails of rows; the other lanes are `fill`.
inline Vec load_partial(const float* from, std::size_t n, float fill = 0.0F) {
  alignas(Vec::arch_type::alignment()) float buffer[kLanes];
  for (std::size_t i = 0; i < kLanes; ++i) buffer[i] = i < n ? from[i] : fill;
  return Vec::load_aligned(buffer);
}

inline void store_partial(const Vec& v, float* to, std::size_t n) {
  alignas(Vec::arch_type::alignment()) float buffer[kLanes];
  v.store_aligned(buffer);
  for (std::size_t i = 0; i < n; ++i) to[i] = buffer[i];
}

// Repeats one lane of a vector in all lanes.
template <std::size_t Lane>
Vec splat_lane(const Vec& v) {
#if defined(__wasm_simd128__)
  return Vec(wasm_i32x4_shuffle(v, v, Lane, Lane, Lane, Lane));
#else
  return Vec(v.get(Lane));
#endif
}

// out[i] = f(in[i]), in vectors; in and out may be the same. The tail of the row is a vector of the
// same loop, so that f, which may be long, is compiled once.
template <class F>
void map(const float* in, float* out, std::size_t n, F&& f) {
  const std::size_t whole = n - n % kLanes;
  float rest[kLanes] = {};
  std::copy(in + whole, in + n, rest);
  MASKFLOW_KEEP_ROLLED
  for (std::size_t i = 0; i < n; i += kLanes) {
    const bool last = i == whole;
    f(Vec::load_unaligned(last ? rest : in + i)).store_unaligned(last ? rest : out + i);
  }
  std::copy(rest, rest + (n - whole), out + whole);
}

}  // namespace maskflow::kernels
