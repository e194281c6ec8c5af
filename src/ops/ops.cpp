// SPDX-License-Identifier: MIT
#include "ops/ops.hpp"

#include <array>

namespace maskflow::ops {
namespace {

Tensor with(Name name, const Tensor& x, Name attribute, Value value) {
  Dict attributes;
  attributes[attribute] = std::move(value);
  return apply_op1(name, {&x, 1}, attributes);
}

template <class T>
List list_of(std::span<const T> numbers) {
  return List(numbers.begin(), numbers.end());
}

}  // namespace

Axes::Axes(Dim axis) : value_(axis) {}
Axes::Axes(std::span<const Dim> axes) : value_(list_of(axes)) {}
Axes::Axes(std::span<const int> axes) : value_(list_of(axes)) {}

Tensor unary(Name name, const Tensor& x) { return apply_op1(name, {&x, 1}); }
Tensor binary(Name name, const Tensor& a, const Tensor& b) {
  return apply_op1(name, std::array{a, b});
}
Tensor reduced(Name name, const Tensor& x, const Axes& axes, bool keepdims) {
  Dict attributes;
  attributes["axis"] = axes.value();
  attributes["keepdims"] = keepdims;
  return apply_op1(name, {&x, 1}, attributes);
}
Tensor along(Name name, const Tensor& x, const Axes& axes) {
  return with(name, x, "axis", axes.value());
}
Tensor filled_like(Name name, const Tensor& x, DType dtype) {
  return with(name, x, "dtype", name_of(dtype));
}

Tensor cast(const Tensor& x, DType dtype) {
  return x.dtype() == dtype ? x : with("Cast", x, "dtype", name_of(dtype));
}

Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b) {
  return apply_op1("Where", std::array{condition, a, b});
}

Tensor norm(const Tensor& x, const Axes& axes, double order) {
  Dict attributes;
  attributes["axis"] = axes.value();
  attributes["keepdims"] = true;
  // By default the length over several axes is Euclidean, too.
  if (order != 2) attributes["ord"] = order;
  return apply_op1("Norm", {&x, 1}, attributes);
}

Tensor normalize(const Tensor& x, const Axes& axes, double epsilon) {
  Dict attributes;
  attributes["axis"] = axes.value();
  attributes["epsilon"] = epsilon;
  return apply_op1("Normalize", {&x, 1}, attributes);
}

Tensor one_hot(const Tensor& x, Dim classes) { return with("OneHot", x, "num_classes", classes); }

Tensor einsum(std::string_view subscripts, Operands operands) {
  Dict attributes;
  attributes["subscripts"] = Value(subscripts);
  return apply_op1("Einsum", operands, attributes);
}

Tensor broadcast_to(const Tensor& x, const Shape& shape) {
  return with("BroadcastTo", x, "shape", list_of(shape.dims()));
}

Tensor concatenate(Operands parts, Dim axis) {
  Dict attributes;
  attributes["axis"] = axis;
  return apply_op1("Concatenate", parts, attributes);
}

Tensor move_axis(const Tensor& x, Dim source, Dim destination) {
  Dict attributes;
  attributes["source"] = source;
  attributes["destination"] = destination;
  return apply_op1("Moveaxis", {&x, 1}, attributes);
}

Tensor repeat(const Tensor& x, Dim repeats, Dim axis) {
  Dict attributes;
  attributes["repeats"] = repeats;
  attributes["axis"] = axis;
  return apply_op1("Repeat", {&x, 1}, attributes);
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
  return apply_op1("Slice", {&x, 1}, attributes);
}

namespace {

Tensors split_at(const Tensor& x, const Value& places, Dim axis) {
  Dict attributes;
  attributes["indices_or_sections"] = places;
  attributes["axis"] = axis;
  return apply_op("Split", {&x, 1}, attributes);
}

}  // namespace

Tensors split(const Tensor& x, std::span<const Dim> ends, Dim axis) {
  return split_at(x, list_of(ends), axis);
}
Tensors split(const Tensor& x, Dim sections, Dim axis) { return split_at(x, sections, axis); }

Tensor swap_axes(const Tensor& x, Dim axis1, Dim axis2) {
  Dict attributes;
  attributes["axis1"] = axis1;
  attributes["axis2"] = axis2;
  return apply_op1("Swapaxes", {&x, 1}, attributes);
}

Tensor take(const Tensor& x, const Tensor& indices, Dim axis) {
  Dict attributes;
  attributes["axis"] = axis;
  return apply_op1("Take", std::array{x, indices}, attributes);
}

Tensor transpose(const Tensor& x, const Axes& axes) {
  return with("Transpose", x, "axes", axes.value());
}

}  // namespace maskflow::ops
