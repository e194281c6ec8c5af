// SPDX-License-Identifier: MIT
// Functions of two variables with broadcasting, and the ternary where and clip.
#include <algorithm>
#include <cmath>
#include <functional>

#include "ops/ops.hpp"
#include "ops/strided.hpp"

namespace maskflow {
namespace {

// One pass over the broadcast of a and b; the inner loop is one of three that the compiler
// vectorises.
template <class T, class R, class F>
Tensor broadcast_map(const Tensor& a, const Tensor& b, DType dtype, F f) {
  const Shape shape = broadcast(a.shape(), b.shape());
  Tensor result(dtype, shape);
  if (result.size() == 0) return result;
  const T* x = a.data<T>().data();
  const T* y = b.data<T>().data();
  R* out = result.mutable_data<R>().data();
  const auto row = [&](const T* p, Dim step_p, const T* q, Dim step_q, Dim n) {
    if (step_p != 0 && step_q != 0) {
      for (Dim i = 0; i < n; ++i) out[i] = static_cast<R>(f(p[i], q[i]));
    } else if (step_p != 0) {
      for (Dim i = 0; i < n; ++i) out[i] = static_cast<R>(f(p[i], *q));
    } else {
      for (Dim i = 0; i < n; ++i) out[i] = static_cast<R>(f(*p, q[i * step_q]));
    }
    out += n;
  };
  const auto n = static_cast<Dim>(result.size());
  if (a.shape() == b.shape()) {
    row(x, 1, y, 1, n);
  } else if (b.size() == 1) {
    row(x, 1, y, 0, n);
  } else if (a.size() == 1) {
    row(x, 0, y, 1, n);
  } else {
    const Strides steps_a = broadcast_strides(a.shape(), shape);
    const Strides steps_b = broadcast_strides(b.shape(), shape);
    const auto last = static_cast<std::size_t>(shape.rank() - 1);
    for_each_row<2>(shape, {steps_a, steps_b}, [&](const std::array<Dim, 2>& at) {
      row(x + at[0], steps_a[last], y + at[1], steps_b[last], shape.back());
    });
  }
  return result;
}

DType common_dtype(const Tensor& a, const Tensor& b) { return std::max(a.dtype(), b.dtype()); }

// Arithmetic: in the larger dtype of the two, bool counting as int32.
template <class F>
Tensors arithmetic(Operands x, const OpAttributes&) {
  const DType dtype = std::max(common_dtype(x[0], x[1]), DType::kInt32);
  const Tensor a = ops::cast(x[0], dtype);
  const Tensor b = ops::cast(x[1], dtype);
  if (dtype == DType::kFloat32) return {broadcast_map<float, float>(a, b, dtype, F())};
  return {broadcast_map<std::int32_t, std::int32_t>(a, b, dtype, F())};
}

// In float32 whatever comes.
template <class F>
Tensors in_floats(Operands x, const OpAttributes&) {
  return {broadcast_map<float, float>(ops::cast(x[0], DType::kFloat32),
                                      ops::cast(x[1], DType::kFloat32), DType::kFloat32, F())};
}

template <class F>
Tensors comparison(Operands x, const OpAttributes&) {
  const DType dtype = std::max(common_dtype(x[0], x[1]), DType::kInt32);
  const Tensor a = ops::cast(x[0], dtype);
  const Tensor b = ops::cast(x[1], dtype);
  if (dtype == DType::kFloat32)
    return {broadcast_map<float, std::uint8_t>(a, b, DType::kBool, F())};
  return {broadcast_map<std::int32_t, std::uint8_t>(a, b, DType::kBool, F())};
}

template <class F>
Tensors logical(Operands x, const OpAttributes&) {
  return {broadcast_map<std::uint8_t, std::uint8_t>(
      ops::cast(x[0], DType::kBool), ops::cast(x[1], DType::kBool), DType::kBool, F())};
}

// Whole numbers wrap as in NumPy; signed overflow would be undefined.
std::int32_t wrap(std::uint32_t x) { return static_cast<std::int32_t>(x); }
std::uint32_t bits(std::int32_t x) { return static_cast<std::uint32_t>(x); }

struct Plus {
  float operator()(float a, float b) const { return a + b; }
  std::int32_t operator()(std::int32_t a, std::int32_t b) const { return wrap(bits(a) + bits(b)); }
};
struct Minus {
  float operator()(float a, float b) const { return a - b; }
  std::int32_t operator()(std::int32_t a, std::int32_t b) const { return wrap(bits(a) - bits(b)); }
};
struct Times {
  float operator()(float a, float b) const { return a * b; }
  std::int32_t operator()(std::int32_t a, std::int32_t b) const { return wrap(bits(a) * bits(b)); }
};
struct Quotient {
  float operator()(float a, float b) const { return a / b; }
};
// Rounded down, 0 for a division of whole numbers by 0 (as NumPy).
struct FloorQuotient {
  float operator()(float a, float b) const { return std::floor(a / b); }
  std::int32_t operator()(std::int32_t a, std::int32_t b) const {
    if (b == 0) return 0;
    if (b == -1) return wrap(0U - bits(a));
    return a / b - static_cast<std::int32_t>(a % b != 0 && (a < 0) != (b < 0));
  }
};
// The sign of the divisor, as in Python.
struct Remainder {
  float operator()(float a, float b) const {
    const float r = std::fmod(a, b);
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
  }
  std::int32_t operator()(std::int32_t a, std::int32_t b) const {
    if (b == 0 || b == -1) return 0;
    const std::int32_t r = a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
  }
};
struct Power {
  float operator()(float a, float b) const { return std::pow(a, b); }
  std::int32_t operator()(std::int32_t a, std::int32_t b) const {
    if (b < 0) return a == 1 ? 1 : a == -1 ? (b % 2 == 0 ? 1 : -1) : 0;
    std::uint32_t result = 1;
    for (std::uint32_t base = bits(a), e = bits(b); e > 0; e >>= 1U, base *= base) {
      if ((e & 1U) != 0) result *= base;
    }
    return wrap(result);
  }
};
struct Larger {
  float operator()(float a, float b) const { return a > b || std::isnan(a) ? a : b; }
  std::int32_t operator()(std::int32_t a, std::int32_t b) const { return std::max(a, b); }
};
struct Smaller {
  float operator()(float a, float b) const { return a < b || std::isnan(a) ? a : b; }
  std::int32_t operator()(std::int32_t a, std::int32_t b) const { return std::min(a, b); }
};

Tensors where(Operands x, const OpAttributes&) {
  const DType dtype = common_dtype(x[1], x[2]);
  const Tensor condition = ops::cast(x[0], DType::kBool);
  const Tensor a = ops::cast(x[1], dtype);
  const Tensor b = ops::cast(x[2], dtype);
  const Shape shape = broadcast(condition.shape(), broadcast(a.shape(), b.shape()));
  Tensor result(dtype, shape);
  if (result.size() == 0) return {result};
  const std::array<Strides, 3> strides{broadcast_strides(condition.shape(), shape),
                                       broadcast_strides(a.shape(), shape),
                                       broadcast_strides(b.shape(), shape)};
  const Dim n = shape.rank() == 0 ? 1 : shape.back();
  const auto last = static_cast<std::size_t>(std::max(shape.rank() - 1, 0));
  const auto fill = [&]<class T>(T* out) {
    const auto* keep = condition.data<std::uint8_t>().data();
    const T* yes = a.data<T>().data();
    const T* no = b.data<T>().data();
    for_each_row<3>(shape, strides, [&](const std::array<Dim, 3>& at) {
      for (Dim i = 0; i < n; ++i) {
        *out++ = keep[at[0] + i * strides[0][last]] != 0 ? yes[at[1] + i * strides[1][last]]
                                                         : no[at[2] + i * strides[2][last]];
      }
    });
  };
  if (dtype == DType::kFloat32) fill(result.mutable_data<float>().data());
  if (dtype == DType::kInt32) fill(result.mutable_data<std::int32_t>().data());
  if (dtype == DType::kBool) fill(result.mutable_data<std::uint8_t>().data());
  return {result};
}

Tensors clip(Operands x, const OpAttributes& attributes) {
  const auto bound = [&](std::string_view name) {
    const double value = attributes.number(name);
    const bool whole = x[0].dtype() == DType::kInt32 && value == std::floor(value);
    return Tensor::scalar(whole ? DType::kInt32 : DType::kFloat32, value);
  };
  const Tensor low = apply_op1("Maximum", std::array{x[0], bound("x_min")});
  return {apply_op1("Minimum", std::array{low, bound("x_max")})};
}

struct Entry {
  std::string_view name;
  std::string_view doc;
  Tensors (*compute)(Operands, const OpAttributes&);
};

constexpr Entry kEntries[] = {
    {"Add", "x1 + x2.", arithmetic<Plus>},
    {"Subtract", "x1 - x2.", arithmetic<Minus>},
    {"Multiply", "x1 x2.", arithmetic<Times>},
    {"TrueDivide", "x1 / x2, always float32.", in_floats<Quotient>},
    {"Divide", "x1 / x2, always float32.", in_floats<Quotient>},
    {"FloorDivide", "x1 / x2 rounded down; whole numbers divided by 0 give 0.",
     arithmetic<FloorQuotient>},
    {"Mod", "The rest of floorDivide, with the sign of x2.", arithmetic<Remainder>},
    {"Power", "x1 to the power x2.", arithmetic<Power>},
    {"Maximum", "The larger; NaN if one is.", arithmetic<Larger>},
    {"Minimum", "The smaller; NaN if one is.", arithmetic<Smaller>},
    {"Equal", "x1 = x2?", comparison<std::equal_to<>>},
    {"NotEqual", "x1 different from x2? NaN differs from everything.",
     comparison<std::not_equal_to<>>},
    {"Greater", "x1 > x2?", comparison<std::greater<>>},
    {"GreaterEqual", "x1 >= x2?", comparison<std::greater_equal<>>},
    {"Less", "x1 < x2?", comparison<std::less<>>},
    {"LessEqual", "x1 <= x2?", comparison<std::less_equal<>>},
    {"LogicalAnd", "Both non-zero?", logical<std::logical_and<>>},
    {"LogicalOr", "One of them non-zero?", logical<std::logical_or<>>},
    {"LogicalXor", "Just one of them non-zero?", logical<std::not_equal_to<>>},
};

const bool registered = [] {
  for (const Entry& entry : kEntries) {
    RegisterOp({entry.name, "x1 x2", {}, entry.doc, entry.compute});
  }
  RegisterOp({"Where", "condition x1 x2", {}, "x1 where the condition holds, else x2.", where});
  RegisterOp({"Clip",
              "x",
              {{"x_min", "number", "Lower bound.", true, {}},
               {"x_max", "number", "Upper bound.", true, {}}},
              "x cut to x_min .. x_max.",
              clip});
  return true;
}();

}  // namespace
}  // namespace maskflow
