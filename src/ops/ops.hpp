// SPDX-License-Identifier: MIT
// Ops as C++ functions, named as in keras.ops. When an operand is symbolic, they record the call
// in its graph instead of computing. The core calls an op through these functions unless its name
// is data, so that a wrong name or attribute does not compile. Results and errors are those of the
// op itself, which its table documents.
#pragma once

#include <array>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "ops/op.hpp"
#include "tensor/mask.hpp"

namespace maskflow::ops {

// One axis, several axes, or all of them. Negative axes count from the end.
class Axes {
 public:
  Axes() = default;  // all
  Axes(Dim axis);
  Axes(std::initializer_list<Dim> axes) : Axes(std::span(axes.begin(), axes.size())) {}
  Axes(std::span<const Dim> axes);
  Axes(std::span<const int> axes);
  template <std::size_t N>
  Axes(const std::array<Dim, N>& axes) : Axes(std::span<const Dim>(axes)) {}
  Axes(const std::vector<Dim>& axes) : Axes(std::span(axes)) {}
  Axes(const std::vector<int>& axes) : Axes(std::span(axes)) {}
  // The attribute `axis` of an op: a number, a list or null.
  explicit Axes(Value attribute) : value_(std::move(attribute)) {}
  [[nodiscard]] const Value& value() const { return value_; }

 private:
  Value value_;
};

// Calls of ops by name, for the functions below and for ops whose name is data.
[[nodiscard]] Tensor unary(Name name, const Tensor& x);
[[nodiscard]] Tensor binary(Name name, const Tensor& a, const Tensor& b);
[[nodiscard]] Tensor reduced(Name name, const Tensor& x, const Axes& axes, bool keepdims);
[[nodiscard]] Tensor along(Name name, const Tensor& x, const Axes& axes);
[[nodiscard]] Tensor filled_like(Name name, const Tensor& x, DType dtype);

// A float32 scalar.
[[nodiscard]] inline Tensor number(double x) { return Tensor::scalar(DType::kFloat32, x); }

// --- each element
// ---------------------------------------------------------------------------------

[[nodiscard]] inline Tensor absolute(const Tensor& x) { return unary("Absolute", x); }
[[nodiscard]] inline Tensor cos(const Tensor& x) { return unary("Cos", x); }
[[nodiscard]] inline Tensor exp(const Tensor& x) { return unary("Exp", x); }
[[nodiscard]] inline Tensor log(const Tensor& x) { return unary("Log", x); }
[[nodiscard]] inline Tensor logical_not(const Tensor& x) { return unary("LogicalNot", x); }
[[nodiscard]] inline Tensor negative(const Tensor& x) { return unary("Negative", x); }
[[nodiscard]] inline Tensor reciprocal(const Tensor& x) { return unary("Reciprocal", x); }
[[nodiscard]] inline Tensor round(const Tensor& x) { return unary("Round", x); }
[[nodiscard]] inline Tensor rsqrt(const Tensor& x) { return unary("Rsqrt", x); }
[[nodiscard]] inline Tensor sigmoid(const Tensor& x) { return unary("Sigmoid", x); }
[[nodiscard]] inline Tensor sign(const Tensor& x) { return unary("Sign", x); }
[[nodiscard]] inline Tensor sin(const Tensor& x) { return unary("Sin", x); }
[[nodiscard]] inline Tensor sqrt(const Tensor& x) { return unary("Sqrt", x); }
[[nodiscard]] inline Tensor square(const Tensor& x) { return unary("Square", x); }
[[nodiscard]] inline Tensor tanh(const Tensor& x) { return unary("Tanh", x); }
// Returns x itself if it has the dtype already.
[[nodiscard]] Tensor cast(const Tensor& x, DType dtype);
[[nodiscard]] inline Tensor ones_like(const Tensor& x) { return unary("OnesLike", x); }
[[nodiscard]] inline Tensor ones_like(const Tensor& x, DType dtype) {
  return filled_like("OnesLike", x, dtype);
}
[[nodiscard]] inline Tensor zeros_like(const Tensor& x, DType dtype) {
  return filled_like("ZerosLike", x, dtype);
}

// --- Two tensors, with broadcasting
// ---------------------------------------------------------------

[[nodiscard]] inline Tensor add(const Tensor& a, const Tensor& b) { return binary("Add", a, b); }
// Always float32.
[[nodiscard]] inline Tensor divide(const Tensor& a, const Tensor& b) {
  return binary("TrueDivide", a, b);
}
[[nodiscard]] inline Tensor equal(const Tensor& a, const Tensor& b) {
  return binary("Equal", a, b);
}
[[nodiscard]] inline Tensor floor_divide(const Tensor& a, const Tensor& b) {
  return binary("FloorDivide", a, b);
}
[[nodiscard]] inline Tensor greater(const Tensor& a, const Tensor& b) {
  return binary("Greater", a, b);
}
[[nodiscard]] inline Tensor greater_equal(const Tensor& a, const Tensor& b) {
  return binary("GreaterEqual", a, b);
}
[[nodiscard]] inline Tensor less(const Tensor& a, const Tensor& b) { return binary("Less", a, b); }
[[nodiscard]] inline Tensor less_equal(const Tensor& a, const Tensor& b) {
  return binary("LessEqual", a, b);
}
[[nodiscard]] inline Tensor logical_and(const Tensor& a, const Tensor& b) {
  return binary("LogicalAnd", a, b);
}
[[nodiscard]] inline Tensor logical_or(const Tensor& a, const Tensor& b) {
  return binary("LogicalOr", a, b);
}
[[nodiscard]] inline Tensor maximum(const Tensor& a, const Tensor& b) {
  return binary("Maximum", a, b);
}
[[nodiscard]] inline Tensor minimum(const Tensor& a, const Tensor& b) {
  return binary("Minimum", a, b);
}
[[nodiscard]] inline Tensor multiply(const Tensor& a, const Tensor& b) {
  return binary("Multiply", a, b);
}
[[nodiscard]] inline Tensor not_equal(const Tensor& a, const Tensor& b) {
  return binary("NotEqual", a, b);
}
[[nodiscard]] inline Tensor power(const Tensor& a, const Tensor& b) {
  return binary("Power", a, b);
}
[[nodiscard]] inline Tensor subtract(const Tensor& a, const Tensor& b) {
  return binary("Subtract", a, b);
}
[[nodiscard]] Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b);

// --- reductions
// -----------------------------------------------------------------------------------

[[nodiscard]] inline Tensor max(const Tensor& x, const Axes& axes, bool keepdims = false) {
  return reduced("Max", x, axes, keepdims);
}
[[nodiscard]] inline Tensor mean(const Tensor& x, const Axes& axes, bool keepdims = false) {
  return reduced("Mean", x, axes, keepdims);
}
[[nodiscard]] inline Tensor min(const Tensor& x, const Axes& axes, bool keepdims = false) {
  return reduced("Min", x, axes, keepdims);
}
[[nodiscard]] inline Tensor prod(const Tensor& x, const Axes& axes, bool keepdims = false) {
  return reduced("Prod", x, axes, keepdims);
}
[[nodiscard]] inline Tensor sum(const Tensor& x, const Axes& axes = {}, bool keepdims = false) {
  return reduced("Sum", x, axes, keepdims);
}
[[nodiscard]] inline Tensor any(const Tensor& x, const Axes& axes) { return along("Any", x, axes); }
[[nodiscard]] inline Tensor argmax(const Tensor& x, const Axes& axes) {
  return along("Argmax", x, axes);
}
[[nodiscard]] inline Tensor count_nonzero(const Tensor& x, const Axes& axes) {
  return along("CountNonzero", x, axes);
}

// --- Rows along an axis
// ---------------------------------------------------------------------------

[[nodiscard]] inline Tensor cumsum(const Tensor& x, Dim axis) { return along("Cumsum", x, axis); }
[[nodiscard]] inline Tensor flip(const Tensor& x, const Axes& axes) {
  return along("Flip", x, axes);
}
[[nodiscard]] inline Tensor glu(const Tensor& x) { return unary("Glu", x); }
[[nodiscard]] inline Tensor log_softmax(const Tensor& x, const Axes& axes) {
  return along("LogSoftmax", x, axes);
}
[[nodiscard]] inline Tensor softmax(const Tensor& x, const Axes& axes) {
  return along("Softmax", x, axes);
}
// Returns the Euclidean length, or the norm of another order, with the axes kept as size 1.
[[nodiscard]] Tensor norm(const Tensor& x, const Axes& axes, double order = 2);
// Returns vectors divided by their Euclidean length, which counts as at least `epsilon`.
[[nodiscard]] Tensor normalize(const Tensor& x, const Axes& axes, double epsilon);
[[nodiscard]] Tensor one_hot(const Tensor& x, Dim classes);

// --- products
// -------------------------------------------------------------------------------------

[[nodiscard]] inline Tensor matmul(const Tensor& a, const Tensor& b) {
  return binary("Matmul", a, b);
}
[[nodiscard]] Tensor einsum(std::string_view subscripts, Operands operands);

// --- moving elements
// ------------------------------------------------------------------------------

[[nodiscard]] Tensor broadcast_to(const Tensor& x, const Shape& shape);
[[nodiscard]] Tensor concatenate(Operands parts, Dim axis);
[[nodiscard]] inline Tensor expand_dims(const Tensor& x, Dim axis) {
  return along("ExpandDims", x, axis);
}
[[nodiscard]] Tensor move_axis(const Tensor& x, Dim source, Dim destination);
[[nodiscard]] Tensor repeat(const Tensor& x, Dim repeats, Dim axis);
// Returns the indices start to stop - 1 of one axis.
[[nodiscard]] Tensor slice_axis(const Tensor& x, int axis, Dim start, Dim stop);
// Cuts one axis into parts that end at these indices. The last part has the remaining elements.
[[nodiscard]] Tensors split(const Tensor& x, std::span<const Dim> ends, Dim axis);
[[nodiscard]] Tensors split(const Tensor& x, Dim sections, Dim axis);
[[nodiscard]] inline Tensor squeeze(const Tensor& x, const Axes& axes) {
  return along("Squeeze", x, axes);
}
[[nodiscard]] Tensor swap_axes(const Tensor& x, Dim axis1, Dim axis2);
[[nodiscard]] Tensor take(const Tensor& x, const Tensor& indices, Dim axis);
// Reorders the axes: `axes` has the axis of x for each axis of the result. By default the order is
// reversed.
[[nodiscard]] Tensor transpose(const Tensor& x, const Axes& axes = {});

}  // namespace maskflow::ops
