// SPDX-License-Identifier: MIT
// Elementwise functions: of one tensor, of two with broadcasting, where, clip, and dtype
// conversions.
#include "ops/elementwise.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "ops/ops.hpp"
#include "ops/strided.hpp"

namespace maskflow {
namespace {

using kernels::Elementwise;
using kernels::ElementwiseRow;

// Number of elements of a broadcast operand that are copied at a time, because row functions do not
// support strides.
constexpr std::size_t kRepeated = 256;

template <std::size_t N>
class Broadcast {
 public:
  Broadcast(const std::array<Tensor, N>& operands, DType dtype)
      : operands_(operands), result_(dtype, common_shape()) {}

  Tensor apply(ElementwiseRow row) {
    if (result_.size() == 0) return result_;
    std::byte* out = result_.mutable_raw();
    const std::size_t width = size_of(result_.dtype());
    if (is_uniform()) {
      std::array<const void*, N> in{};
      for (std::size_t k = 0; k < N; ++k) in[k] = operands_[k].raw();
      row(in.data(), out, result_.size());
      return result_;
    }
    std::array<Strides, N> strides{};
    const Shape shape = broadcast_axes(operands_, result_.shape(), strides);
    for (std::size_t k = 0; k < N; ++k) {
      step_[k] = shape.rank() == 0 ? 0 : strides[k][at(shape.rank() - 1)];
    }
    const auto length = at(shape.rank() == 0 ? 1 : shape.back());
    for_each_row<N>(shape, strides, [&](const std::array<Dim, N>& offsets) {
      apply_to_row(row, offsets, out, length, width);
      out += length * width;
    });
    return result_;
  }

 private:
  [[nodiscard]] Shape common_shape() const {
    Shape shape = operands_[0].shape();
    for (std::size_t k = 1; k < N; ++k) shape = broadcast(shape, operands_[k].shape());
    return shape;
  }

  // Returns whether all operands have the shape of the result.
  [[nodiscard]] bool is_uniform() const {
    return std::ranges::all_of(
        operands_, [this](const Tensor& operand) { return operand.shape() == result_.shape(); });
  }

  // Applies the function to a row. Along the last axis, an operand has all elements or a single
  // one.
  void apply_to_row(ElementwiseRow row, const std::array<Dim, N>& offsets, std::byte* out,
                    std::size_t length, std::size_t width) {
    std::array<const void*, N> in{};
    for (std::size_t done = 0; done < length;) {
      std::size_t count = length - done;
      for (std::size_t k = 0; k < N; ++k) {
        const std::size_t size = size_of(operands_[k].dtype());
        const std::byte* from = operands_[k].raw() + at(offsets[k]) * size;
        if (step_[k] != 0 || length == 1) {
          in[k] = from + done * size;
          continue;
        }
        count = std::min(count, kRepeated);
        if (done == 0) repeat(from, size, repeated_[k].data(), count);
        in[k] = repeated_[k].data();
      }
      row(in.data(), out + done * width, count);
      done += count;
    }
  }

  static void repeat(const std::byte* from, std::size_t size, std::byte* to, std::size_t count) {
    std::uint32_t word = std::to_integer<std::uint32_t>(*from) * 0x0101'0101U;
    if (size == sizeof(word)) std::memcpy(&word, from, sizeof(word));
    // Bytes fill whole words, for which the buffer has room.
    std::fill_n(reinterpret_cast<std::uint32_t*>(to), (count * size + 3) / 4, word);
  }

  const std::array<Tensor, N>& operands_;
  Tensor result_;
  std::array<Dim, N> step_{};
  alignas(16) std::array<std::array<std::byte, kRepeated * sizeof(float)>, N> repeated_;
};

template <std::size_t N>
Tensor broadcast_apply(const std::array<Tensor, N>& operands, DType dtype, ElementwiseRow row) {
  return Broadcast<N>(operands, dtype).apply(row);
}

const Elementwise& kernel_of(const OpAttributes& attributes) {
  return *static_cast<const Elementwise*>(attributes.op().kernel);
}

ElementwiseRow row_for(const Elementwise& kernel, DType dtype) {
  return dtype == DType::kFloat32 ? kernel.floats
         : dtype == DType::kInt32 ? kernel.ints
                                  : kernel.bools;
}

// Returns the dtype to which operands are converted: the largest of theirs that the kernel
// supports.
DType operand_dtype(Operands operands, const Elementwise& kernel) {
  if (kernel.bools != nullptr) return DType::kBool;
  DType dtype = kernel.ints != nullptr ? DType::kInt32 : DType::kFloat32;
  for (const Tensor& operand : operands) dtype = std::max(dtype, operand.dtype());
  return dtype;
}

Tensor compute(Operands x, const OpAttributes& attributes, bool returns_bool) {
  const Elementwise& kernel = kernel_of(attributes);
  const DType dtype = operand_dtype(x, kernel);
  const DType result = returns_bool ? DType::kBool : dtype;
  const ElementwiseRow row = row_for(kernel, dtype);
  const Tensor a = ops::cast(x[0], dtype);
  if (x.size() == 1) return broadcast_apply<1>({a}, result, row);
  return broadcast_apply<2>({a, ops::cast(x[1], dtype)}, result, row);
}

// Computes an op whose result has the dtype of the operands, where bool counts as int32.
Tensors whole(Operands x, const OpAttributes& attributes) {
  return {compute(x, attributes, false)};
}
// Computes an op of numbers. As in Keras, that of bools alone is bool.
Tensors number(Operands x, const OpAttributes& attributes) {
  const Tensor result = compute(x, attributes, false);
  const bool are_bools = x.front().dtype() == DType::kBool && x.back().dtype() == DType::kBool &&
                         result.dtype() == DType::kInt32;
  return {are_bools ? ops::cast(result, DType::kBool) : result};
}
// Rounds the number of units of 10^-decimals, as NumPy does.
Tensors round(Operands x, const OpAttributes& attributes) {
  const std::int64_t decimals = attributes.integer("decimals");
  if (decimals == 0) return whole(x, attributes);
  if (std::abs(decimals) > 30) value_error("'decimals' is ", decimals, " but must be -30 to 30");
  double power = 1;
  for (std::int64_t i = 0; i < std::abs(decimals); ++i) power *= 10;
  const Tensor factor = Tensor::scalar(DType::kFloat32, power);
  const auto to_units = decimals > 0 ? ops::multiply : ops::divide;
  const auto from_units = decimals > 0 ? ops::divide : ops::multiply;
  const Tensor rounded = ops::round(to_units(x[0], factor));
  return {ops::cast(from_units(rounded, factor), x[0].dtype())};
}
// Computes an op whose result is bool.
Tensors test(Operands x, const OpAttributes& attributes) { return {compute(x, attributes, true)}; }

Tensors cast(Operands x, const OpAttributes& attributes) {
  const DType to = attributes.dtype("dtype");
  const DType from = x[0].dtype();
  if (from == to) return {x[0]};
  const Elementwise& kernel = to == DType::kFloat32 ? kernels::kToFloat
                              : to == DType::kInt32 ? kernels::kToInt
                                                    : kernels::kToBool;
  return {broadcast_apply<1>({x[0]}, to, row_for(kernel, from))};
}

Tensors where(Operands x, const OpAttributes&) {
  const DType dtype = std::max(x[1].dtype(), x[2].dtype());
  const Elementwise& select = kernels::kSelect;
  return {broadcast_apply<3>(
      {ops::cast(x[0], DType::kBool), ops::cast(x[1], dtype), ops::cast(x[2], dtype)}, dtype,
      dtype == DType::kBool ? select.bools : select.ints)};
}

Tensors clip(Operands x, const OpAttributes& attributes) {
  const auto bound = [&](Name name) {
    const double value = attributes.number(name);
    const bool integer = x[0].dtype() == DType::kInt32 && value == std::floor(value);
    return Tensor::scalar(integer ? DType::kInt32 : DType::kFloat32, value);
  };
  const Tensor low = ops::maximum(x[0], bound("x_min"));
  return {ops::minimum(low, bound("x_max"))};
}

Tensors convert_to_tensor(Operands x, const OpAttributes& attributes) {
  return {attributes.is_null("dtype") ? x[0] : ops::cast(x[0], attributes.dtype("dtype"))};
}

constexpr OpAttribute kCastSettings[] = {
    {"dtype", "DType", "dtype of the result.", true, {}},
};
constexpr OpAttribute kConvertSettings[] = {
    {"dtype", "DType | null", "dtype of the result; null: that of x.", false, {}},
    {"sparse", "null", "Argument of Keras; must be null.", false, {}},
    {"ragged", "null", "Argument of Keras; must be null.", false, {}},
};
constexpr OpAttribute kClipSettings[] = {
    {"x_min", "number", "Lower bound.", true, {}},
    {"x_max", "number", "Upper bound.", true, {}},
};

constexpr OpAttribute kRoundSettings[] = {
    {"decimals", "number",
     "Number of decimal places, -30 to 30; negative ones round to tens, hundreds, …", false, 0}};
constexpr OpDef kOps[] = {
    {"Add", "x1 x2", {}, "x1 + x2.", number, &kernels::kAdd},
    {"Subtract", "x1 x2", {}, "x1 - x2.", number, &kernels::kSubtract},
    {"Multiply", "x1 x2", {}, "x1 times x2, element by element.", number, &kernels::kMultiply},
    {"TrueDivide", "x1 x2", {}, "x1 / x2, always float32.", number, &kernels::kDivide},
    {"Divide", "x1 x2", {}, "x1 / x2, always float32.", number, &kernels::kDivide},
    {"FloorDivide",
     "x1 x2",
     {},
     "x1 / x2, rounded down. An integer divided by 0 is 0.",
     number,
     &kernels::kFloorDivide},
    {"Mod",
     "x1 x2",
     {},
     "The remainder of floorDivide, with the sign of x2.",
     whole,
     &kernels::kMod},
    {"Power", "x1 x2", {}, "x1 to the power x2.", number, &kernels::kPower},
    {"Maximum",
     "x1 x2",
     {},
     "The larger of x1 and x2; NaN if one of them is NaN.",
     number,
     &kernels::kMaximum},
    {"Minimum",
     "x1 x2",
     {},
     "The smaller of x1 and x2; NaN if one of them is NaN.",
     number,
     &kernels::kMinimum},
    {"Equal", "x1 x2", {}, "Whether x1 equals x2.", test, &kernels::kEqual},
    {"NotEqual",
     "x1 x2",
     {},
     "Whether x1 differs from x2. NaN differs from every number.",
     test,
     &kernels::kNotEqual},
    {"Greater", "x1 x2", {}, "Whether x1 > x2.", test, &kernels::kGreater},
    {"GreaterEqual", "x1 x2", {}, "Whether x1 >= x2.", test, &kernels::kGreaterEqual},
    {"Less", "x1 x2", {}, "Whether x1 < x2.", test, &kernels::kLess},
    {"LessEqual", "x1 x2", {}, "Whether x1 <= x2.", test, &kernels::kLessEqual},
    {"LogicalAnd", "x1 x2", {}, "Whether both are non-zero.", test, &kernels::kLogicalAnd},
    {"LogicalOr", "x1 x2", {}, "Whether at least one is non-zero.", test, &kernels::kLogicalOr},
    {"LogicalXor", "x1 x2", {}, "Whether exactly one is non-zero.", test, &kernels::kLogicalXor},
    {"LogicalNot", "x", {}, "Whether x is zero (false).", test, &kernels::kLogicalNot},
    {"Absolute", "x", {}, "|x|.", number, &kernels::kAbsolute},
    {"Negative", "x", {}, "-x.", whole, &kernels::kNegative},
    {"Square", "x", {}, "x^2.", whole, &kernels::kSquare},
    {"Sign", "x", {}, "The sign of x: -1, 0 or 1.", number, &kernels::kSign},
    {"Floor",
     "x",
     {},
     "The largest integer that is not above x, as float32.",
     number,
     &kernels::kFloor},
    {"Ceil",
     "x",
     {},
     "The smallest integer that is not below x, as float32.",
     number,
     &kernels::kCeil},
    {"Round", "x", kRoundSettings,
     "The nearest number with `decimals` decimal places; halves round to even.", round,
     &kernels::kRound},
    {"Log", "x", {}, "The natural logarithm, to 2 ULP; NaN below 0.", number, &kernels::kLog},
    {"Log1p", "x", {}, "log(1 + x), accurate near 0.", number, &kernels::kLog1p},
    {"Expm1", "x", {}, "e^x - 1, accurate near 0.", number, &kernels::kExpm1},
    {"Sqrt", "x", {}, "The square root; NaN below 0.", number, &kernels::kSqrt},
    {"Rsqrt", "x", {}, "1 / sqrt(x).", number, &kernels::kRsqrt},
    {"Reciprocal", "x", {}, "1 / x.", number, &kernels::kReciprocal},
    {"Erf", "x", {}, "The error function, to 2.4 ULP.", number, &kernels::kErf},
    {"Sin", "x", {}, "The sine of x, in radians.", number, &kernels::kSin},
    {"Cos", "x", {}, "The cosine of x, in radians.", number, &kernels::kCos},
    {"Isnan", "x", {}, "Whether x is NaN.", test, &kernels::kIsnan},
    {"Isfinite", "x", {}, "Whether x is neither infinite nor NaN.", test, &kernels::kIsfinite},
    {"Isinf", "x", {}, "Whether x is infinite.", test, &kernels::kIsinf},
    {"Cast", "x", kCastSettings,
     "Converts to another dtype. Floats are truncated towards 0; non-zero numbers become true.",
     cast},
    {"ConvertToTensor", "x", kConvertSettings,
     "Returns x, cast to `dtype` if that is not null. Keras's models contain this op where masks "
     "pass "
     "through Attention.",
     convert_to_tensor},
    {"Where", "condition x1 x2", {}, "x1 where `condition` is non-zero, else x2.", where},
    {"Clip", "x", kClipSettings, "x, limited to the range x_min .. x_max.", clip},
};
const RegisterOps registration{kOps};

}  // namespace

Tensors elementwise(Operands operands, const OpAttributes& attributes) {
  return number(operands, attributes);
}

}  // namespace maskflow
