// SPDX-License-Identifier: MIT
// Ops that copy most elements and replace a few.
#include <cmath>
#include <cstring>

#include "ops/ops.hpp"

namespace maskflow {
namespace {

Tensors divide_no_nan(Operands x, const OpAttributes&) {
  const Tensor zero = ops::number(0);
  const Tensor is_zero = ops::equal(x[1], zero);
  const Tensor quotient = ops::divide(x[0], ops::where(is_zero, ops::number(1), x[1]));
  return {ops::where(is_zero, zero, quotient)};
}

Tensors nan_to_num(Operands x, const OpAttributes& attributes) {
  if (x[0].dtype() != DType::kFloat32) return {x[0]};
  constexpr double kLargest = 3.4028234663852886e38;
  Tensor result =
      ops::where(ops::unary("Isnan", x[0]), ops::number(attributes.number("nan")), x[0]);
  const auto replace = [&](Name name, double infinity, double fallback) {
    const double value = attributes.is_null(name) ? fallback : attributes.number(name);
    result = ops::where(ops::equal(x[0], ops::number(infinity)), ops::number(value), result);
  };
  replace("posinf", HUGE_VAL, kLargest);
  replace("neginf", -HUGE_VAL, -kLargest);
  return {result};
}

// A copy: tensors that share storage are one variable for differentiation.
Tensors stop_gradient(Operands x, const OpAttributes&) {
  Tensor result(x[0].dtype(), x[0].shape());
  if (result.bytes() > 0) std::memcpy(result.mutable_raw(), x[0].raw(), result.bytes());
  return {result};
}

constexpr OpAttribute kNanToNumSettings[] = {
    {"nan", "number", "In place of NaN.", false, 0},
    {"posinf", "number | null", "In place of Infinity; null: the largest float32.", false, {}},
    {"neginf", "number | null", "In place of -Infinity; null: the lowest float32.", false, {}}};

constexpr OpDef kOps[] = {
    {"DivideNoNan", "x1 x2", {}, "x1 / x2, or 0 where x2 is 0; always float32.", divide_no_nan},
    {"NanToNum", "x", kNanToNumSettings, "x with numbers in place of NaN and infinities.",
     nan_to_num},
    {"StopGradient", "variable", {}, "Returns x; gradients do not pass through it.", stop_gradient},
};
const RegisterOps registration{kOps, "maskflow"};

}  // namespace
}  // namespace maskflow
