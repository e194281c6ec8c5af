// SPDX-License-Identifier: MIT
// Sums of products of 8-bit integers for four columns at once, with the instructions that the
// target has. Weights are -127 .. 127, and the quantized other operand ("steps") is 0 .. 127. A
// weight vector holds four weights of each of four columns.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "kernels/hidden.hpp"
#include "kernels/simd.hpp"

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

namespace maskflow::kernels {

#if defined(__wasm_simd128__)

inline void eight_floats(const std::int8_t* from, Vec* to) {
  const v128_t eight = wasm_i16x8_load8x8(from);
  to[0] = wasm_f32x4_convert_i32x4(wasm_i32x4_extend_low_i16x8(eight));
  to[1] = wasm_f32x4_convert_i32x4(wasm_i32x4_extend_high_i16x8(eight));
}

// Rounds eight floats of at most 127 to whole numbers, halves to even ones.
inline void eight_bytes(const Vec* v, std::int8_t* to) {
  // A sum with 1.5 * 2^23 has the whole number in its last bits: conversions take more
  // instructions.
  const v128_t large = wasm_f32x4_const_splat(12582912.0F);
  const auto whole = [&](const Vec& x) { return wasm_i32x4_sub(wasm_f32x4_add(x, large), large); };
  const v128_t words = wasm_i16x8_narrow_i32x4(whole(v[0]), whole(v[1]));
  wasm_v128_store64_lane(to, wasm_i8x16_narrow_i16x8(words, words), 0);
}

// Converts to 16-bit integers, in the first half of the result.
inline v128_t narrow(const Vec& v) {
  const v128_t whole = wasm_i32x4_trunc_sat_f32x4(v);
  return wasm_i16x8_narrow_i32x4(whole, whole);
}

#endif

#if defined(__wasm_relaxed_simd__)

// Four products per lane.
struct Quads {
  using Step = std::uint8_t;
  struct Sum {
    v128_t lanes = wasm_i32x4_const_splat(0);
    void store(std::int32_t* to) const { wasm_v128_store(to, lanes); }
  };
  struct Weights {
    Weights() = default;
    explicit Weights(const std::int8_t* from) : all(wasm_v128_load(from)) {}
    explicit Weights(v128_t weights) : all(weights) {}
    v128_t all;
  };
  static v128_t steps(const Step* from) { return wasm_v128_load32_splat(from); }
  static void store(const Vec& steps, Step* to) {
    const v128_t words = narrow(steps);
    wasm_v128_store32_lane(to, wasm_u8x16_narrow_i16x8(words, words), 0);
  }
};

// The relaxed dot product. It pays where it is one machine instruction: AVX-VNNI, Arm's dot
// product.
struct QuadDot : Quads {
  static constexpr std::size_t kRows = 6;
  void add(Sum& sum, const Weights& weights, v128_t steps) const {
    sum.lanes = wasm_i32x4_relaxed_dot_i8x16_i7x16_add(weights.all, steps, sum.lanes);
  }
  // Multiplies by 255, which exceeds the promised seven bits. Where the engine emulates the
  // instruction by three others, the sum of two products saturates.
  static bool pays() {
    Sum sum;
    const Weights weights{wasm_i32x4_splat(hidden(0x7f7f7f7f))};
    QuadDot().add(sum, weights, wasm_i32x4_splat(hidden(-1)));
    return wasm_i32x4_extract_lane(sum.lanes, 0) != 2 * std::numeric_limits<std::int16_t>::max();
  }
};

// The three instructions by which engines emulate it elsewhere. Written out, they create the vector
// of ones only once, which saves two instructions each time.
struct SplitDot : Quads {
  static constexpr std::size_t kRows = 4;
  v128_t ones = wasm_i32x4_splat(hidden(0x10001));
  void add(Sum& sum, const Weights& weights, v128_t steps) const {
    const v128_t pairs = wasm_i16x8_relaxed_dot_i8x16_i7x16(weights.all, steps);
    sum.lanes = wasm_i32x4_add(sum.lanes, wasm_i32x4_dot_i16x8(pairs, ones));
  }
};

using FastDot = QuadDot;
using SafeDot = SplitDot;

#elif defined(__wasm_simd128__)

// Two steps and two products per lane: the dot product of wasm without relaxed SIMD.
struct PairDot {
  using Step = std::int16_t;
  static constexpr std::size_t kRows = 2;
  static bool pays() { return true; }
  struct Sum {
    v128_t low = wasm_i32x4_const_splat(0);
    v128_t high = wasm_i32x4_const_splat(0);
    void add(const v128_t (&weights)[2], v128_t steps) {
      low = wasm_i32x4_add(low, wasm_i32x4_dot_i16x8(weights[0], steps));
      high = wasm_i32x4_add(high, wasm_i32x4_dot_i16x8(weights[1], steps));
    }
    void store(std::int32_t* to) const {
      const v128_t even = wasm_i32x4_shuffle(low, high, 0, 2, 4, 6);
      const v128_t odd = wasm_i32x4_shuffle(low, high, 1, 3, 5, 7);
      wasm_v128_store(to, wasm_i32x4_add(even, odd));
    }
  };
  struct Weights {
    Weights() = default;
    explicit Weights(const std::int8_t* from)
        : halves{wasm_i16x8_load8x8(from), wasm_i16x8_load8x8(from + 8)} {}
    v128_t halves[2];
  };
  static v128_t steps(const Step* from) { return wasm_v128_load64_splat(from); }
  static void store(const Vec& steps, Step* to) { wasm_v128_store64_lane(to, narrow(steps), 0); }
  void add(Sum& sum, const Weights& weights, v128_t steps) const { sum.add(weights.halves, steps); }
};
using FastDot = PairDot;
using SafeDot = PairDot;
#else

inline void eight_floats(const std::int8_t* from, Vec* to) {
  float eight[8];
  for (std::size_t i = 0; i < 8; ++i) eight[i] = from[i];
  for (std::size_t v = 0; v < 8 / kLanes; ++v) to[v] = Vec::load_unaligned(eight + v * kLanes);
}

inline void eight_bytes(const Vec* v, std::int8_t* to) {
  float eight[8];
  for (std::size_t i = 0; i < 8 / kLanes; ++i) v[i].store_unaligned(eight + i * kLanes);
  for (std::size_t i = 0; i < 8; ++i) to[i] = static_cast<std::int8_t>(std::nearbyint(eight[i]));
}

struct PlainDot {
  using Step = std::uint8_t;
  static constexpr std::size_t kRows = 2;
  static bool pays() { return true; }
  struct Sum {
    std::array<std::int32_t, 4> lanes{};
    void store(std::int32_t* to) const {
      for (std::size_t i = 0; i < 4; ++i) to[i] = lanes[i];
    }
  };
  struct Weights {
    Weights() = default;
    explicit Weights(const std::int8_t* from) : all(from) {}
    const std::int8_t* all = nullptr;
  };
  static const Step* steps(const Step* from) { return from; }
  static void store(const Vec& steps, Step* to) {
    float values[kLanes];
    steps.store_unaligned(values);
    for (std::size_t i = 0; i < kLanes; ++i) to[i] = static_cast<Step>(values[i]);
  }
  void add(Sum& sum, const Weights& weights, const Step* steps) const {
    for (std::size_t column = 0; column < 4; ++column) {
      for (std::size_t i = 0; i < 4; ++i) {
        sum.lanes[column] += weights.all[column * 4 + i] * steps[i];
      }
    }
  }
};
using FastDot = PlainDot;
using SafeDot = PlainDot;
#endif

}  // namespace maskflow::kernels
