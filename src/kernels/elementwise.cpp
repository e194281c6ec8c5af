// SPDX-License-Identifier: MIT
#include "kernels/elementwise.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>

#include "kernels/long_functions.hpp"
#include "kernels/simd.hpp"

namespace maskflow::kernels {
namespace {

using Byte = std::uint8_t;
using Int = std::int32_t;

// F is a type with an operator() for numbers.
template <class F, class T, class R = T>
void unary(const void* const* in, void* out, std::size_t n) {
  const T* __restrict x = static_cast<const T*>(in[0]);
  R* __restrict to = static_cast<R*>(out);
  for (std::size_t i = 0; i < n; ++i) to[i] = static_cast<R>(F()(x[i]));
}
template <class F, class T, class R = T>
void binary(const void* const* in, void* out, std::size_t n) {
  const T* __restrict x = static_cast<const T*>(in[0]);
  const T* __restrict y = static_cast<const T*>(in[1]);
  R* __restrict to = static_cast<R*>(out);
  for (std::size_t i = 0; i < n; ++i) to[i] = static_cast<R>(F()(x[i], y[i]));
}
// The most frequent functions, explicitly with vectors: this file is compiled for size, for which
// compilers do not vectorise loops.
template <class F>
void vector_binary(const void* const* in, void* out, std::size_t n) {
  const float* x = static_cast<const float*>(in[0]);
  const float* y = static_cast<const float*>(in[1]);
  float* to = static_cast<float*>(out);
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    F()(Vec::load_unaligned(x + i), Vec::load_unaligned(y + i)).store_unaligned(to + i);
  }
  for (; i < n; ++i) to[i] = F()(x[i], y[i]);
}
template <class T>
void select(const void* const* in, void* out, std::size_t n) {
  const Byte* __restrict condition = static_cast<const Byte*>(in[0]);
  const T* __restrict a = static_cast<const T*>(in[1]);
  const T* __restrict b = static_cast<const T*>(in[2]);
  T* __restrict to = static_cast<T*>(out);
  for (std::size_t i = 0; i < n; ++i) to[i] = condition[i] != 0 ? a[i] : b[i];
}
// F is a function of vectors.
template <Vec (*F)(const Vec&)>
void vector_unary(const void* const* in, void* out, std::size_t n) {
  map(static_cast<const float*>(in[0]), static_cast<float*>(out), n, F);
}

template <class F>
constexpr Elementwise numbers2{binary<F, float>, binary<F, Int>};
template <class F>
constexpr Elementwise vectors2{vector_binary<F>, binary<F, Int>};
template <class F>
constexpr Elementwise numbers1{unary<F, float>, unary<F, Int>};
template <class F>
constexpr Elementwise comparison{binary<F, float, Byte>, binary<F, Int, Byte>};
template <class F>
constexpr Elementwise logical{nullptr, nullptr, binary<F, Byte>};
template <class F>
constexpr Elementwise test{unary<F, float, Byte>};

// Unsigned arithmetic wraps; signed overflow would be undefined.
Int wrap(std::uint32_t x) { return static_cast<Int>(x); }
std::uint32_t bits(Int x) { return static_cast<std::uint32_t>(x); }

struct Plus {
  float operator()(float a, float b) const { return a + b; }
  Vec operator()(const Vec& a, const Vec& b) const { return a + b; }
  Int operator()(Int a, Int b) const { return wrap(bits(a) + bits(b)); }
};
struct Minus {
  float operator()(float a, float b) const { return a - b; }
  Vec operator()(const Vec& a, const Vec& b) const { return a - b; }
  Int operator()(Int a, Int b) const { return wrap(bits(a) - bits(b)); }
};
struct Times {
  float operator()(float a, float b) const { return a * b; }
  Vec operator()(const Vec& a, const Vec& b) const { return a * b; }
  Int operator()(Int a, Int b) const { return wrap(bits(a) * bits(b)); }
};
struct Quotient {
  float operator()(float a, float b) const { return a / b; }
};
// The quotient that belongs to the remainder: the rounded quotient of 1 and 0.1 is 10, but 0.1 fits
// 9 times, as float32.
struct FloorQuotient {
  float operator()(float a, float b) const {
    if (b == 0) return a / b;
    const float r = std::fmod(a, b);
    const float whole = std::nearbyint((a - r) / b);
    return r != 0 && (r < 0) != (b < 0) ? whole - 1 : whole;
  }
  Int operator()(Int a, Int b) const {
    if (b == 0) return 0;
    if (b == -1) return wrap(0U - bits(a));
    return a / b - static_cast<Int>(a % b != 0 && (a < 0) != (b < 0));
  }
};
// Has the sign of the divisor, as in Python.
struct Remainder {
  float operator()(float a, float b) const {
    const float r = std::fmod(a, b);
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
  }
  Int operator()(Int a, Int b) const {
    if (b == 0 || b == -1) return 0;
    const Int r = a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
  }
};
struct Power {
  float operator()(float a, float b) const { return std::pow(a, b); }
  Int operator()(Int a, Int b) const {
    if (b < 0) return a == 1 ? 1 : a == -1 ? (b % 2 == 0 ? 1 : -1) : 0;
    std::uint32_t result = 1;
    for (std::uint32_t base = bits(a), e = bits(b); e > 0; e >>= 1U, base *= base) {
      if ((e & 1U) != 0) result *= base;
    }
    return wrap(result);
  }
};
struct Larger {
  float operator()(float a, float b) const { return a > b || a != a ? a : b; }
  Int operator()(Int a, Int b) const { return std::max(a, b); }
};
struct Smaller {
  float operator()(float a, float b) const { return a < b || a != a ? a : b; }
  Int operator()(Int a, Int b) const { return std::min(a, b); }
};
struct And {
  bool operator()(Byte a, Byte b) const { return a != 0 && b != 0; }
};
// 128 in each byte that is not 0.
std::uint64_t bytes_set(const Byte* from) {
  constexpr std::uint64_t kLow = 0x7f7f'7f7f'7f7f'7f7f;
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, from, sizeof(bytes));
  return (((bytes & kLow) + kLow) | bytes) & ~kLow;
}
// And, eight bytes at a time: masks of attention have a byte for each pair of steps.
void and_bytes(const void* const* in, void* out, std::size_t n) {
  const Byte* const x = static_cast<const Byte*>(in[0]);
  const Byte* const y = static_cast<const Byte*>(in[1]);
  Byte* const to = static_cast<Byte*>(out);
  std::size_t i = 0;
  for (; i + sizeof(std::uint64_t) <= n; i += sizeof(std::uint64_t)) {
    const std::uint64_t both = (bytes_set(x + i) & bytes_set(y + i)) >> 7;
    std::memcpy(to + i, &both, sizeof(both));
  }
  for (; i < n; ++i) to[i] = static_cast<Byte>(And()(x[i], y[i]));
}
struct Or {
  bool operator()(Byte a, Byte b) const { return a != 0 || b != 0; }
};

struct Magnitude {
  float operator()(float x) const { return std::fabs(x); }
  Int operator()(Int x) const { return x < 0 ? wrap(0U - bits(x)) : x; }
};
struct Opposite {
  float operator()(float x) const { return -x; }
  Int operator()(Int x) const { return wrap(0U - bits(x)); }
};
struct SquareOf {
  float operator()(float x) const { return x * x; }
  Int operator()(Int x) const { return wrap(bits(x) * bits(x)); }
};
struct SignOf {
  float operator()(float x) const { return x > 0 ? 1.0F : x < 0 ? -1.0F : x; }
  Int operator()(Int x) const { return static_cast<Int>(x > 0) - static_cast<Int>(x < 0); }
};
struct RoundedDown {
  float operator()(float x) const { return std::floor(x); }
};
struct RoundedUp {
  float operator()(float x) const { return std::ceil(x); }
};
struct Rounded {
  float operator()(float x) const { return std::nearbyint(x); }
};
// An angle as `multiple * pi / 2 + rest`, where |rest| is at most pi / 4.
struct Angle {
  double multiple, rest;
};
constexpr double kHalfPi = 0x1.921fb54442d18p+0;

// Splits x, for 2^27 <= |x| < infinity; `multiple` is modulo 4 (Payne and Hanek 1983). The product
// of the mantissa and 2 / pi is computed in fixed point. Bits of 2 / pi that only add multiples of
// 4 are left out, and 96 bits follow: enough for the float that is closest to a multiple of pi / 2.
Angle split_large(float x) {
  constexpr std::array<std::uint32_t, 7> kTwoOverPi{0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0,
                                                    0xdb629599, 0x3c439041, 0xfe5163ab};
  const auto word = [&](std::uint32_t first) -> std::uint64_t {
    const std::size_t i = first / 32;
    const std::uint64_t both = std::uint64_t{kTwoOverPi[i]} << 32 | kTwoOverPi[i + 1];
    return both << first % 32 >> 32;
  };
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint64_t mantissa = (bits & 0x7fffff) | 0x800000;
  const std::uint32_t first = (bits >> 23 & 0xff) - 152;
  const std::uint64_t high = word(first) << 32 | word(first + 32);
  const std::uint64_t product = mantissa * high + (mantissa * word(first + 64) >> 32);
  const std::uint64_t quarter = std::uint64_t{1} << 62;
  const auto multiple = static_cast<double>((product + quarter / 2) / quarter);
  const double rest = static_cast<double>(static_cast<std::int64_t>(product << 2)) * 0x1p-64;
  const double sign = x < 0 ? -1 : 1;
  return {sign * multiple, sign * rest * kHalfPi};
}

// Splits x, for |x| < 2^27: pi / 2 is in two parts of double precision (Cody and Waite 1980).
Angle split(float x) {
  constexpr double kHalfPiHigh = 0x1.921fb4p+0;  // 23 bits: its products with integers are exact
  constexpr double kHalfPiLow = 0x1.4442d18469899p-24;
  const double multiple = std::nearbyint(x / kHalfPi);
  return {multiple, (x - multiple * kHalfPiHigh) - multiple * kHalfPiLow};
}

// The sine of x + quarters * pi / 2, by Taylor's series to the precision of float. At most 0.53 ULP
// for all finite x; NaN for infinities.
float sine(float x, double quarters) {
  const bool is_large = std::fabs(x) >= 0x1p27F && std::isfinite(x);
  const auto [multiple, r] = is_large ? split_large(x) : split(x);
  const double s = r * r;
  const double quarter = multiple + quarters;
  const double quadrant = quarter - 4 * std::floor(quarter / 4);  // 0 to 3
  const bool cosine = quadrant == 1 || quadrant == 3;
  const double value =
      cosine ? 1 + s * (-0.5 + s * (1.0 / 24 +
                                    s * (-1.0 / 720 + s * (1.0 / 40320 + s * (-1.0 / 3628800)))))
             : r * (1 + s * (-1.0 / 6 + s * (1.0 / 120 + s * (-1.0 / 5040 + s * (1.0 / 362880)))));
  return static_cast<float>(quadrant >= 2 ? -value : value);
}

struct Sine {
  float operator()(float x) const { return sine(x, 0); }
};
struct Cosine {
  float operator()(float x) const { return sine(x, 1); }
};
struct IsNan {
  bool operator()(float x) const { return std::isnan(x); }
};
struct IsFinite {
  bool operator()(float x) const { return std::isfinite(x); }
};
struct IsInfinite {
  bool operator()(float x) const { return std::isinf(x); }
};

template <class R>
struct To {
  template <class T>
  R operator()(T x) const {
    return static_cast<R>(x);
  }
};
// In C++, a cast of NaN or of a float out of range is undefined.
struct ToInt : To<Int> {
  using To<Int>::operator();
  Int operator()(float x) const {
    if (x != x) return 0;
    if (x >= 2147483648.0F) return std::numeric_limits<Int>::max();
    if (x < -2147483648.0F) return std::numeric_limits<Int>::min();
    return static_cast<Int>(x);
  }
};
struct IsTrue {
  template <class T>
  bool operator()(T x) const {
    return x != T{0};
  }
};
struct IsZero {
  bool operator()(Byte x) const { return x == 0; }
};

Vec keep_nan(const Vec& x, const Vec& y) { return xsimd::select(xsimd::isnan(x), x, y); }
Vec log_of(const Vec& x) { return keep_nan(x, xsimd::log(x)); }
Vec log1p_of(const Vec& x) { return kernels::log1p(x); }
Vec expm1_of(const Vec& x) { return kernels::expm1(x); }
Vec sqrt_of(const Vec& x) { return xsimd::sqrt(x); }
Vec rsqrt_of(const Vec& x) { return Vec(1.0F) / xsimd::sqrt(x); }
Vec reciprocal_of(const Vec& x) { return Vec(1.0F) / x; }
Vec erf_of(const Vec& x) { return kernels::erf(x); }

}  // namespace

const Elementwise kAdd = vectors2<Plus>;
const Elementwise kSubtract = vectors2<Minus>;
const Elementwise kMultiply = vectors2<Times>;
const Elementwise kDivide{binary<Quotient, float>};
const Elementwise kMaximum = numbers2<Larger>;
const Elementwise kMinimum = numbers2<Smaller>;
const Elementwise kPower = numbers2<Power>;
const Elementwise kFloorDivide = numbers2<FloorQuotient>;
const Elementwise kMod = numbers2<Remainder>;

const Elementwise kAbsolute = numbers1<Magnitude>;
const Elementwise kNegative = numbers1<Opposite>;
const Elementwise kSquare = numbers1<SquareOf>;
const Elementwise kSign = numbers1<SignOf>;
const Elementwise kFloor{unary<RoundedDown, float>};
const Elementwise kCeil{unary<RoundedUp, float>};
const Elementwise kRound{unary<Rounded, float>, unary<To<Int>, Int>};
const Elementwise kSqrt{vector_unary<sqrt_of>};
const Elementwise kRsqrt{vector_unary<rsqrt_of>};
const Elementwise kReciprocal{vector_unary<reciprocal_of>};
const Elementwise kLog{vector_unary<log_of>};
const Elementwise kLog1p{vector_unary<log1p_of>};
const Elementwise kExpm1{vector_unary<expm1_of>};
const Elementwise kErf{vector_unary<erf_of>};
const Elementwise kSin{unary<Sine, float>};
const Elementwise kCos{unary<Cosine, float>};

const Elementwise kEqual = comparison<std::equal_to<>>;
const Elementwise kNotEqual = comparison<std::not_equal_to<>>;
const Elementwise kGreater = comparison<std::greater<>>;
const Elementwise kGreaterEqual = comparison<std::greater_equal<>>;
const Elementwise kLess = comparison<std::less<>>;
const Elementwise kLessEqual = comparison<std::less_equal<>>;
const Elementwise kLogicalAnd{nullptr, nullptr, and_bytes};
const Elementwise kLogicalOr = logical<Or>;
const Elementwise kLogicalXor = logical<std::not_equal_to<>>;
const Elementwise kLogicalNot{nullptr, nullptr, unary<IsZero, Byte>};
const Elementwise kIsnan = test<IsNan>;
const Elementwise kIsfinite = test<IsFinite>;
const Elementwise kIsinf = test<IsInfinite>;

const Elementwise kToFloat{nullptr, unary<To<float>, Int, float>, unary<To<float>, Byte, float>};
const Elementwise kToInt{unary<ToInt, float, Int>, nullptr, unary<ToInt, Byte, Int>};
const Elementwise kToBool{unary<IsTrue, float, Byte>, unary<IsTrue, Int, Byte>};
const Elementwise kSelect{nullptr, select<Int>, select<Byte>};

}  // namespace maskflow::kernels
