// SPDX-License-Identifier: MIT
// Questions about numbers.
#include <limits>

#include "ops/ops.hpp"

namespace maskflow {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Tensors is_infinite(Operands x, double infinity) {
  return {ops::equal(x[0], ops::number(infinity))};
}
Tensors is_positive_infinity(Operands x, const OpAttributes&) { return is_infinite(x, kInfinity); }
Tensors is_negative_infinity(Operands x, const OpAttributes&) { return is_infinite(x, -kInfinity); }

// The reciprocal tells -0 from 0. NaN with a sign counts as positive.
Tensors has_sign(Operands x, const OpAttributes&) {
  const Tensor zero = Tensor::scalar(DType::kInt32, 0);
  return {ops::logical_or(ops::less(x[0], zero), ops::less(ops::reciprocal(x[0]), zero))};
}

// |a - b| <= absolute + relative |b|. Infinities are close to themselves alone.
Tensor close(const Tensor& a, const Tensor& b, const Tensor& relative, const Tensor& absolute,
             bool equal_nan) {
  const Tensor bound = ops::add(absolute, ops::multiply(relative, ops::absolute(b)));
  const Tensor gap = ops::absolute(ops::subtract(a, b));
  const Tensor is_near = ops::logical_and(ops::less_equal(gap, bound), ops::unary("Isfinite", b));
  const Tensor result = ops::logical_or(is_near, ops::equal(a, b));
  if (!equal_nan) return result;
  return ops::logical_or(result, ops::logical_and(ops::unary("Isnan", a), ops::unary("Isnan", b)));
}

Tensor as_float(const Tensor& x) { return ops::cast(x, DType::kFloat32); }

Tensors is_close(Operands x, const OpAttributes& attributes) {
  const auto tolerance = [&x](std::size_t position, double fallback) {
    const Tensor* const given = optional_operand(x, position);
    return given == nullptr ? ops::number(fallback) : as_float(*given);
  };
  return {close(as_float(x[0]), as_float(x[1]), tolerance(2, 1e-5), tolerance(3, 1e-8),
                attributes.flag("equal_nan"))};
}
Tensors all_close(Operands x, const OpAttributes& attributes) {
  const Tensor each = close(as_float(x[0]), as_float(x[1]), ops::number(attributes.number("rtol")),
                            ops::number(attributes.number("atol")), attributes.flag("equal_nan"));
  return {ops::reduced("All", each, {}, false)};
}

constexpr OpAttribute kEqualNan = {"equal_nan", "boolean", "Whether NaN is close to NaN.", false,
                                   false};
constexpr OpAttribute kIsCloseSettings[] = {kEqualNan};
constexpr OpAttribute kAllCloseSettings[] = {
    {"rtol", "number", "Tolerance, relative to |x2|.", false, 1e-5},
    {"atol", "number", "Absolute tolerance.", false, 1e-8},
    kEqualNan};

constexpr OpDef kOps[] = {
    {"Isposinf", "x", {}, "Whether x is Infinity.", is_positive_infinity},
    {"Isneginf", "x", {}, "Whether x is -Infinity.", is_negative_infinity},
    {"Signbit", "x", {}, "Whether x is negative, or -0.", has_sign},
    {"Isclose", "x1 x2 rtol? atol?", kIsCloseSettings,
     "Whether |x1 - x2| <= atol + rtol |x2|. The tolerances are 1e-8 and 1e-5.", is_close},
    {"AllClose", "x1 x2", kAllCloseSettings,
     "Whether |x1 - x2| <= atol + rtol |x2| for all elements.", all_close},
};
const RegisterOps registration{kOps, "maskflow/train"};

}  // namespace
}  // namespace maskflow
