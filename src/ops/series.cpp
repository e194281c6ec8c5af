// SPDX-License-Identifier: MIT
// Statistics and products of whole series of numbers or vectors.
#include <algorithm>
#include <array>
#include <cmath>

#include "ops/ops.hpp"

namespace maskflow {
namespace {

Tensor as_float(const Tensor& x) { return ops::cast(x, DType::kFloat32); }

Tensors ptp(Operands x, const OpAttributes& attributes) {
  const ops::Axes axes(attributes.get("axis"));
  const bool keepdims = attributes.flag("keepdims");
  const Tensor max = ops::max(x[0], axes, keepdims);
  return {ops::subtract(max, ops::min(x[0], axes, keepdims))};
}

Tensors moments(Operands x, const OpAttributes& attributes) {
  if (attributes.flag("synchronized")) {
    unsupported_error("'synchronized' is not available: models run on one device");
  }
  const ops::Axes axes(attributes.get("axes"));
  const bool keepdims = attributes.flag("keepdims");
  return {ops::mean(x[0], axes, keepdims), ops::reduced("Var", x[0], axes, keepdims)};
}

// The area under a line through the points of an axis.
Tensors trapezoid(Operands operands, const OpAttributes& attributes) {
  const Tensor y = as_float(operands[0]);
  const int axis = normalize_axis(attributes.integer("axis"), y.rank());
  const auto neighbours = [](const Tensor& x, int along) {
    const Dim size = x.shape()[along];
    return std::array{ops::slice_axis(x, along, std::min<Dim>(1, size), size),
                      ops::slice_axis(x, along, 0, std::max<Dim>(size - 1, 0))};
  };
  Tensor widths = ops::number(attributes.number("dx"));
  if (const Tensor* const given = optional_operand(operands, 1)) {
    Tensor x = as_float(*given);
    if (x.rank() == 1) {
      Shape shape = x.shape();
      while (shape.rank() < y.rank() - axis) shape.push_back(1);
      x = x.reshaped(shape);
    }
    const auto [next, previous] = neighbours(x, axis - (y.rank() - x.rank()));
    widths = ops::subtract(next, previous);
  }
  const auto [next, previous] = neighbours(y, axis);
  const Tensor heights = ops::multiply(ops::add(next, previous), ops::number(0.5));
  return {ops::sum(ops::multiply(heights, widths), axis, false)};
}

Tensors vander(Operands operands, const OpAttributes& attributes) {
  const Tensor& x = operands[0];
  if (x.rank() != 1) shape_error("vander needs a vector, not ", x.shape());
  const Dim count = attributes.is_null("n") ? x.shape()[0] : attributes.integer("n");
  if (count < 0) value_error("'n' is ", count, " but must not be negative");
  Tensor exponents(DType::kInt32, {1, count});
  for (Dim i = 0; i < count; ++i) {
    const Dim exponent = attributes.flag("increasing") ? i : count - 1 - i;
    exponents.mutable_data<std::int32_t>()[static_cast<std::size_t>(i)] =
        static_cast<std::int32_t>(exponent);
  }
  const Tensor powers = ops::power(x.reshaped({x.shape()[0], 1}), exponents);
  return {ops::cast(powers, x.dtype())};
}

// Sums of products of two vectors, moved past each other. As in NumPy, those of a longer second
// vector are in the reverse order of those of the swapped vectors.
Tensors correlate(Operands x, const OpAttributes& attributes) {
  if (x[0].rank() != 1 || x[1].rank() != 1 || x[0].size() == 0 || x[1].size() == 0) {
    shape_error("correlate needs two vectors that are not empty, not ", x[0].shape(), " and ",
                x[1].shape());
  }
  const std::string mode = attributes.get("mode").as_string("mode");
  if (!has_word("valid same full", mode)) {
    value_error("'mode' is '", mode, "' but must be 'valid', 'same' or 'full'");
  }
  const Dim first = x[0].shape()[0];
  const Dim second = x[1].shape()[0];
  const Tensor margin = Tensor::zeros(DType::kFloat32, {second - 1});
  const Tensor padded = ops::concatenate(std::array{margin, as_float(x[0]), margin}, 0);
  const std::array operands{padded.reshaped({1, padded.shape()[0], 1}),
                            as_float(x[1]).reshaped({second, 1, 1})};
  const Tensor full = apply_op1("Conv", operands, {}).reshaped({first + second - 1});
  if (mode == "full") return {full};
  const Dim shorter = std::min(first, second);
  const Dim longer = std::max(first, second);
  const Dim size = mode == "same" ? longer : longer - shorter + 1;
  const Dim rest = mode == "same" ? shorter - 1 : 2 * (shorter - 1);
  const Dim start = first >= second ? rest / 2 : (rest + 1) / 2;
  return {ops::slice_axis(full, 0, start, start + size)};
}

// The last axis of a factor of a cross product, in three parts; the third of two numbers is 0.
Tensors components(const Tensor& x, Dim axis) {
  const Dim size = x.shape()[normalize_axis(axis, x.rank())];
  if (size != 2 && size != 3) {
    shape_error("axis ", axis, " of ", x.shape(), " must have the size 2 or 3");
  }
  Tensors parts = apply_op("Unstack", {&x, 1}, [&] {
    Dict settings;
    settings["axis"] = axis;
    return settings;
  }());
  if (size == 2) parts.push_back(Tensor::zeros(x.dtype(), parts[0].shape()));
  return parts;
}
Tensors cross(Operands x, const OpAttributes& attributes) {
  const bool has_axis = !attributes.is_null("axis");
  const auto axis = [&](Name name) { return attributes.integer(has_axis ? Name("axis") : name); };
  const Tensors a = components(x[0], axis("axisa"));
  const Tensors b = components(x[1], axis("axisb"));
  const auto part = [&](std::size_t i, std::size_t k) {
    return ops::subtract(ops::multiply(a[i], b[k]), ops::multiply(a[k], b[i]));
  };
  const auto is_plane = [&](const Tensor& operand, Name name) {
    return operand.shape()[normalize_axis(axis(name), operand.rank())] == 2;
  };
  if (is_plane(x[0], "axisa") && is_plane(x[1], "axisb")) return {part(0, 1)};
  Dict settings;
  settings["axis"] = axis("axisc");
  return {apply_op1("Stack", std::array{part(1, 2), part(2, 0), part(0, 1)}, settings)};
}

// Pearson's correlation of each pair of rows.
Tensors corrcoef(Operands operands, const OpAttributes&) {
  const Tensor& x = operands[0];
  if (x.rank() < 1 || x.rank() > 2) shape_error("corrcoef needs rows of numbers, not ", x.shape());
  const Tensor rows = as_float(x.rank() == 1 ? x.reshaped({1, x.shape()[0]}) : x);
  const Tensor centred = ops::subtract(rows, ops::mean(rows, 1, true));
  const Tensor products = ops::matmul(centred, ops::transpose(centred));
  const Tensor lengths = ops::sqrt(ops::sum(ops::square(centred), 1, true));
  const Tensor result = ops::divide(products, ops::multiply(lengths, ops::transpose(lengths)));
  const Tensor bounded = ops::maximum(ops::minimum(result, ops::number(1)), ops::number(-1));
  // As in NumPy, the result for a single row is a number.
  return {bounded.size() == 1 ? bounded.reshaped({}) : bounded};
}

// Euclidean distances of all pairs of rows.
Tensors cdist(Operands x, const OpAttributes&) {
  if (x[0].rank() < 2 || x[1].rank() < 2 || x[0].shape().back() != x[1].shape().back()) {
    shape_error("cdist needs rows of equal length, not ", x[0].shape(), " and ", x[1].shape());
  }
  const Tensor gaps =
      ops::subtract(ops::expand_dims(as_float(x[0]), -2), ops::expand_dims(as_float(x[1]), -3));
  return {ops::sqrt(ops::sum(ops::square(gaps), -1, false))};
}

constexpr OpAttribute kKeepdims = {"keepdims", "boolean",
                                   "Whether to keep the reduced axes with size 1.", false, false};
constexpr OpAttribute kPtpSettings[] = {
    {"axis", "number | number[] | null", "Axis or axes to reduce; null: all.", false, {}},
    kKeepdims};
constexpr OpAttribute kMomentsSettings[] = {
    {"axes", "number | number[]", "Axes to reduce.", true, {}},
    kKeepdims,
    {"synchronized", "boolean", "Argument of Keras; must be false.", false, false}};
constexpr OpAttribute kTrapezoidSettings[] = {
    {"dx", "number", "Distance of the points, if x is left out.", false, 1},
    {"axis", "number", "Axis of the points.", false, -1}};
constexpr OpAttribute kVanderSettings[] = {
    {"n", "number | null", "Number of powers, Keras's N; null: the length of x.", false, {}},
    {"increasing", "boolean", "Whether the powers increase from 0.", false, false}};
constexpr OpAttribute kCorrelateSettings[] = {
    {"mode", "'valid' | 'same' | 'full'",
     "'valid': where the shorter vector is inside the other one, 'same': as many as the longer one "
     "has, 'full': all.",
     false, "valid"}};
constexpr OpAttribute kCrossSettings[] = {
    {"axisa", "number", "Axis of the vectors in x1.", false, -1},
    {"axisb", "number", "Axis of the vectors in x2.", false, -1},
    {"axisc", "number", "Axis of the vectors in the result.", false, -1},
    {"axis", "number | null", "Replaces the other three.", false, {}}};

constexpr OpDef kOps[] = {
    {"Ptp", "x", kPtpSettings, "The largest element minus the smallest one.", ptp},
    {"Moments", "x", kMomentsSettings, "The mean and the population variance.", moments, nullptr,
     true},
    {"Trapezoid", "y x?", kTrapezoidSettings,
     "The integral of y along an axis by the trapezoidal rule, in float32.", trapezoid},
    {"Vander", "x", kVanderSettings, "The powers of each element of a vector, a row for each.",
     vander},
    {"Correlate", "x1 x2", kCorrelateSettings,
     "Sums of the products of two vectors that are moved past each other, in float32.", correlate},
    {"Cross", "x1 x2", kCrossSettings,
     "The cross product of vectors of 3 numbers; of 2 numbers, its third component.", cross},
    {"Corrcoef",
     "x",
     {},
     "The correlation coefficients of all pairs of rows, in float32.",
     corrcoef},
    {"CDist", "x y", {}, "The Euclidean distances of all pairs of rows of x and y.", cdist},
};
const RegisterOps registration{kOps, "maskflow/train"};

}  // namespace
}  // namespace maskflow
