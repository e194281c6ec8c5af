// SPDX-License-Identifier: MIT
#include "ops/ops.hpp"

namespace maskflow::ops {
namespace {

Tensor unary(Name name, const Tensor& x, const Dict& attributes) {
  return apply_op1(name, {&x, 1}, attributes);
}

Dict axis_of(Dim axis) {
  Dict attributes;
  attributes["axis"] = axis;
  return attributes;
}

Dict axes_of(std::span<const Dim> axes, bool keepdims) {
  Dict attributes;
  attributes["axis"] = List(axes.begin(), axes.end());
  attributes["keepdims"] = keepdims;
  return attributes;
}

}  // namespace

Tensor binary(Name name, const Tensor& a, const Tensor& b) {
  return apply_op1(name, std::array{a, b});
}

Tensor add(const Tensor& a, const Tensor& b) { return binary("Add", a, b); }
Tensor subtract(const Tensor& a, const Tensor& b) { return binary("Subtract", a, b); }
Tensor multiply(const Tensor& a, const Tensor& b) { return binary("Multiply", a, b); }
Tensor divide(const Tensor& a, const Tensor& b) { return binary("TrueDivide", a, b); }
Tensor not_equal(const Tensor& a, const Tensor& b) { return binary("NotEqual", a, b); }
Tensor matmul(const Tensor& a, const Tensor& b) { return binary("Matmul", a, b); }

Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b) {
  return apply_op1("Where", std::array{condition, a, b});
}

Tensor cast(const Tensor& x, DType dtype) {
  if (x.dtype() == dtype) return x;
  Dict attributes;
  attributes["dtype"] = name_of(dtype);
  return unary("Cast", x, attributes);
}

Tensor sum(const Tensor& x, std::span<const Dim> axes, bool keepdims) {
  return unary("Sum", x, axes_of(axes, keepdims));
}
Tensor mean(const Tensor& x, std::span<const Dim> axes, bool keepdims) {
  return unary("Mean", x, axes_of(axes, keepdims));
}
Tensor expand_dims(const Tensor& x, Dim axis) { return unary("ExpandDims", x, axis_of(axis)); }
Tensor swap_axes(const Tensor& x, Dim axis1, Dim axis2) {
  Dict attributes;
  attributes["axis1"] = axis1;
  attributes["axis2"] = axis2;
  return unary("Swapaxes", x, attributes);
}
Tensor softmax(const Tensor& x, Dim axis) { return unary("Softmax", x, axis_of(axis)); }
Tensor concatenate(Operands parts, Dim axis) {
  return apply_op1("Concatenate", parts, axis_of(axis));
}

Tensor slice_axis(const Tensor& x, int axis, Dim start, Dim stop) {
  List starts;
  List shape;
  for (int i = 0; i < x.rank(); ++i) {
    starts.push_back(i == axis ? start : Dim{0});
    shape.push_back(i == axis ? stop - start : x.shape()[i]);
  }
  Dict attributes;
  attributes["start_indices"] = starts;
  attributes["shape"] = shape;
  return unary("Slice", x, attributes);
}

}  // namespace maskflow::ops
