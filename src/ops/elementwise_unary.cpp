// SPDX-License-Identifier: MIT
// Functions of one variable, and changes of dtype.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "kernels/simd.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

using kernels::Vec;

// By vectors, in float32.
template <Vec (*F)(const Vec&)>
Tensors vector_op(Operands operands, const OpAttributes&) {
  const Tensor x = ops::cast(operands[0], DType::kFloat32);
  Tensor result(DType::kFloat32, x.shape());
  kernels::map(x.data<float>().data(), result.mutable_data<float>().data(), x.size(), F);
  return {result};
}

// Element by element, in float32.
template <float (*F)(float)>
Tensors float_op(Operands operands, const OpAttributes&) {
  const Tensor x = ops::cast(operands[0], DType::kFloat32);
  Tensor result(DType::kFloat32, x.shape());
  std::ranges::transform(x.data<float>(), result.mutable_data<float>().begin(), F);
  return {result};
}

// Whole numbers stay whole.
template <float (*F)(float), std::int32_t (*G)(std::int32_t)>
Tensors number_op(Operands operands, const OpAttributes& attributes) {
  if (operands[0].dtype() == DType::kFloat32) return float_op<F>(operands, attributes);
  const Tensor x = ops::cast(operands[0], DType::kInt32);
  Tensor result(DType::kInt32, x.shape());
  std::ranges::transform(x.data<std::int32_t>(), result.mutable_data<std::int32_t>().begin(), G);
  return {result};
}

template <bool (*F)(float)>
Tensors test_op(Operands operands, const OpAttributes&) {
  const Tensor x = ops::cast(operands[0], DType::kFloat32);
  Tensor result(DType::kBool, x.shape());
  std::ranges::transform(x.data<float>(), result.mutable_data<std::uint8_t>().begin(),
                         [](float v) { return static_cast<std::uint8_t>(F(v)); });
  return {result};
}

Vec keep_nan(const Vec& x, const Vec& y) { return xsimd::select(xsimd::isnan(x), x, y); }
Vec v_log(const Vec& x) { return keep_nan(x, xsimd::log(x)); }
Vec v_log1p(const Vec& x) { return keep_nan(x, xsimd::log1p(x)); }
Vec v_expm1(const Vec& x) { return keep_nan(x, xsimd::expm1(x)); }
Vec v_sqrt(const Vec& x) { return xsimd::sqrt(x); }
Vec v_rsqrt(const Vec& x) { return Vec(1.0F) / xsimd::sqrt(x); }
Vec v_reciprocal(const Vec& x) { return Vec(1.0F) / x; }
Vec v_erf(const Vec& x) { return keep_nan(x, xsimd::erf(x)); }

float f_abs(float x) { return std::fabs(x); }
float f_negative(float x) { return -x; }
float f_square(float x) { return x * x; }
float f_sign(float x) { return std::isnan(x) ? x : x > 0 ? 1.0F : x < 0 ? -1.0F : 0.0F; }
float f_sin(float x) { return std::sin(x); }
float f_cos(float x) { return std::cos(x); }
float f_floor(float x) { return std::floor(x); }
float f_ceil(float x) { return std::ceil(x); }
float f_round(float x) { return std::nearbyint(x); }
// Unsigned arithmetic wraps as NumPy's does; signed overflow would be undefined.
std::int32_t wrap(std::uint32_t x) { return static_cast<std::int32_t>(x); }
std::int32_t i_negative(std::int32_t x) { return wrap(0U - static_cast<std::uint32_t>(x)); }
std::int32_t i_abs(std::int32_t x) { return x < 0 ? i_negative(x) : x; }
std::int32_t i_square(std::int32_t x) {
  return wrap(static_cast<std::uint32_t>(x) * static_cast<std::uint32_t>(x));
}
std::int32_t i_sign(std::int32_t x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
std::int32_t i_same(std::int32_t x) { return x; }
bool is_nan(float x) { return std::isnan(x); }
bool is_finite(float x) { return std::isfinite(x); }
bool is_infinite(float x) { return std::isinf(x); }
bool is_zero(float x) { return x == 0; }

template <class From, class To>
To converted(From x) {
  if constexpr (std::is_same_v<To, std::uint8_t>) {
    return static_cast<std::uint8_t>(x != From{0});
  } else if constexpr (std::is_same_v<To, std::int32_t> && std::is_same_v<From, float>) {
    // Out of range (or NaN) is undefined in C++; the nearest whole number, and 0 for NaN.
    if (std::isnan(x)) return 0;
    if (x >= 2147483648.0F) return std::numeric_limits<std::int32_t>::max();
    if (x < -2147483648.0F) return std::numeric_limits<std::int32_t>::min();
    return static_cast<std::int32_t>(x);
  } else {
    return static_cast<To>(x);
  }
}

template <class From, class To>
Tensor cast_data(const Tensor& x) {
  Tensor result(DTypeOf<To>::value, x.shape());
  std::ranges::transform(x.data<From>(), result.mutable_data<To>().begin(), converted<From, To>);
  return result;
}

template <class From>
Tensor cast_from(const Tensor& x, DType to) {
  switch (to) {
    case DType::kInt32:
      return cast_data<From, std::int32_t>(x);
    case DType::kBool:
      return cast_data<From, std::uint8_t>(x);
    case DType::kFloat32:
      break;
  }
  return cast_data<From, float>(x);
}

Tensors cast(Operands operands, const OpAttributes& attributes) {
  const Tensor& x = operands[0];
  const DType to = attributes.dtype("dtype");
  if (x.dtype() == to) return {x};
  if (x.dtype() == DType::kInt32) return {cast_from<std::int32_t>(x, to)};
  if (x.dtype() == DType::kBool) return {cast_from<std::uint8_t>(x, to)};
  return {cast_from<float>(x, to)};
}

struct Entry {
  std::string_view name;
  std::string_view doc;
  Tensors (*compute)(Operands, const OpAttributes&);
};

constexpr Entry kEntries[] = {
    {"Absolute", "|x|.", number_op<f_abs, i_abs>},
    {"Negative", "-x.", number_op<f_negative, i_negative>},
    {"Square", "x^2.", number_op<f_square, i_square>},
    {"Sign", "-1, 0 or 1.", number_op<f_sign, i_sign>},
    {"Floor", "The largest whole number not above x.", number_op<f_floor, i_same>},
    {"Ceil", "The smallest whole number not below x.", number_op<f_ceil, i_same>},
    {"Round", "The nearest whole number, halves to even.", number_op<f_round, i_same>},
    {"Log", "The natural logarithm; at most 2 ULP.", vector_op<v_log>},
    {"Log1p", "log(1 + x), exact near 0.", vector_op<v_log1p>},
    {"Expm1", "e^x - 1, exact near 0.", vector_op<v_expm1>},
    {"Sqrt", "The square root; NaN below 0.", vector_op<v_sqrt>},
    {"Rsqrt", "1 / sqrt(x).", vector_op<v_rsqrt>},
    {"Reciprocal", "1 / x.", vector_op<v_reciprocal>},
    {"Erf", "The error function; at most 2.4 ULP.", vector_op<v_erf>},
    {"Sin", "The sine of x radians.", float_op<f_sin>},
    {"Cos", "The cosine of x radians.", float_op<f_cos>},
    {"Isnan", "Is x not a number?", test_op<is_nan>},
    {"Isfinite", "Is x neither infinite nor NaN?", test_op<is_finite>},
    {"Isinf", "Is x infinite?", test_op<is_infinite>},
    {"LogicalNot", "Is x zero (false)?", test_op<is_zero>},
};

const bool registered = [] {
  for (const Entry& entry : kEntries) RegisterOp({entry.name, "x", {}, entry.doc, entry.compute});
  RegisterOp({"Cast",
              "x",
              {{"dtype", "DType", "The dtype of the result.", true, {}}},
              "Changes the dtype; floats are cut towards 0, non-zero is true.",
              cast});
  return true;
}();

}  // namespace
}  // namespace maskflow
