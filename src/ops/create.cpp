// SPDX-License-Identifier: MIT
// Ops that create tensors of a given shape or like another tensor, and ops for triangles.
#include <algorithm>
#include <cmath>

#include "ops/ops.hpp"

namespace maskflow {
namespace {

Shape shape_of(const OpAttributes& attributes) {
  const std::vector<Dim> dims = attributes.integers("shape");
  for (const Dim dim : dims) {
    if (dim < 0) {
      shape_error("'shape' has the negative dimension ", dim, "; use 0 or more");
    }
  }
  return Shape(dims);
}

Tensors zeros(Operands, const OpAttributes& a) {
  return {Tensor::zeros(a.dtype("dtype"), shape_of(a))};
}
Tensors ones(Operands, const OpAttributes& a) {
  return {Tensor::full(a.dtype("dtype"), shape_of(a), 1)};
}
// The setting `fill_value`: a number or a boolean.
double value_of(const OpAttributes& a) {
  const Value value = a.get("fill_value");
  return value.is_bool() ? (value.as_bool("") ? 1 : 0) : a.number("fill_value");
}
Tensors full(Operands, const OpAttributes& a) {
  return {Tensor::full(a.dtype("dtype"), shape_of(a), value_of(a))};
}

DType dtype_like(const Tensor& x, const OpAttributes& attributes) {
  return attributes.is_null("dtype") ? x.dtype() : attributes.dtype("dtype");
}
Tensors zeros_like(Operands x, const OpAttributes& a) {
  return {Tensor::zeros(dtype_like(x[0], a), x[0].shape())};
}
Tensors ones_like(Operands x, const OpAttributes& a) {
  return {Tensor::full(dtype_like(x[0], a), x[0].shape(), 1)};
}
Tensors full_like(Operands x, const OpAttributes& a) {
  return {Tensor::full(dtype_like(x[0], a), x[0].shape(), value_of(a))};
}

Tensors arange(Operands, const OpAttributes& a) {
  double start = a.number("start");
  double stop = start;
  if (a.is_null("stop")) {
    start = 0;
  } else {
    stop = a.number("stop");
  }
  const double step = a.number("step");
  if (step == 0 || std::isnan(step)) value_error("step is ", step, " but must not be 0 or NaN");
  const double count = std::max(0.0, std::ceil((stop - start) / step));
  if (!(count < 2147483648.0))
    value_error("the range from ", start, " to ", stop, " has too many numbers");
  const bool integers =
      start == std::floor(start) && stop == std::floor(stop) && step == std::floor(step);
  const DType dtype = !a.is_null("dtype") ? a.dtype("dtype")
                      : integers          ? DType::kInt32
                                          : DType::kFloat32;
  Tensor result(integers ? DType::kInt32 : DType::kFloat32, {static_cast<Dim>(count)});
  for (std::size_t i = 0; i < result.size(); ++i) {
    const double value = start + step * static_cast<double>(i);
    if (integers) {
      result.mutable_data<std::int32_t>()[i] =
          static_cast<std::int32_t>(std::clamp(value, -2147483648.0, 2147483647.0));
    } else {
      result.mutable_data<float>()[i] = static_cast<float>(value);
    }
  }
  return {ops::cast(result, dtype)};
}

Tensors linspace(Operands, const OpAttributes& a) {
  const Dim count = a.integer("num");
  if (count < 0) value_error("num is ", count, " but must not be negative");
  Tensor result(DType::kFloat32, {count});
  const double start = a.number("start");
  const Dim gaps = a.flag("endpoint") ? count - 1 : count;
  const double step = gaps > 0 ? (a.number("stop") - start) / static_cast<double>(gaps) : 0;
  const DType dtype = a.dtype("dtype");
  for (std::size_t i = 0; i < result.size(); ++i) {
    const bool is_last = i + 1 == at(count) && gaps < count;
    const double value =
        is_last && i > 0 ? a.number("stop") : start + step * static_cast<double>(i);
    result.mutable_floats()[i] =
        static_cast<float>(dtype == DType::kInt32 ? std::floor(value) : value);
  }
  return {ops::cast(result, dtype)};
}

Tensors eye(Operands, const OpAttributes& a) {
  const Dim rows = a.integer("n");
  const Dim columns = a.is_null("m") ? rows : a.integer("m");
  const Dim shift = a.integer("k");
  Tensor result = Tensor::zeros(DType::kFloat32, {rows, columns});
  for (Dim i = std::max<Dim>(0, -shift); i < std::min(rows, columns - shift); ++i) {
    result.mutable_data<float>()[at(i * columns + i + shift)] = 1;
  }
  return {ops::cast(result, a.dtype("dtype"))};
}

template <bool kLower>
Tensors triangle(Operands x, const OpAttributes& a) {
  if (x[0].rank() < 2) shape_error("a triangle needs at least 2 axes, not ", x[0].shape());
  const Dim rows = x[0].shape()[-2];
  const Dim columns = x[0].shape()[-1];
  const Dim shift = a.integer("k");
  Tensor keep(DType::kBool, {rows, columns});
  for (Dim i = 0; i < rows; ++i) {
    for (Dim j = 0; j < columns; ++j) {
      keep.mutable_data<std::uint8_t>()[at(i * columns + j)] =
          kLower ? j <= i + shift : j >= i + shift;
    }
  }
  return {ops::where(keep, x[0], Tensor::scalar(x[0].dtype(), 0))};
}

constexpr OpAttribute kShape{"shape", "number[]", "Shape of the result.", true, {}};
constexpr OpAttribute kDtype{"dtype", "DType", "dtype of the result.", false, "float32"};
constexpr OpAttribute kLikeDtype{
    "dtype", "DType | null", "dtype of the result; null: that of x.", false, {}};
constexpr OpAttribute kFill{"fill_value", "number | boolean", "Value of all elements.", true, {}};
constexpr OpAttribute kDiagonal{
    "k", "number", "Diagonal: 0 is the main one, positive numbers are above it.", false, 0};

constexpr OpAttribute kZerosSettings[] = {kShape, kDtype};
constexpr OpAttribute kFullSettings[] = {kShape, kFill, kDtype};
constexpr OpAttribute kZerosLikeSettings[] = {kLikeDtype};
constexpr OpAttribute kFullLikeSettings[] = {kFill, kLikeDtype};
constexpr OpAttribute kArangeSettings[] = {
    {"start",
     "number",
     "First number; without `stop`, the end, and the first number is 0.",
     true,
     {}},
    {"stop", "number | null", "End, which is not included.", false, {}},
    {"step", "number", "Difference between consecutive numbers.", false, 1},
    {"dtype",
     "DType | null",
     "dtype of the result; null: int32 if all numbers are integers, else float32.",
     false,
     {}}};
constexpr OpAttribute kLinspaceSettings[] = {
    {"start", "number", "First number.", true, {}},
    {"stop", "number", "Last number.", true, {}},
    {"num", "number", "Number of elements; at least 0.", false, 50},
    {"endpoint", "boolean", "Whether `stop` is the last number.", false, true},
    {"dtype", "DType", "dtype of the result; int32 rounds down.", false, "float32"}};
constexpr OpAttribute kEyeSettings[] = {
    {"n", "number", "Number of rows.", true, {}},
    {"m", "number | null", "Number of columns; null: as many as rows.", false, {}},
    kDiagonal,
    kDtype};
constexpr OpAttribute kTrilSettings[] = {kDiagonal};

constexpr OpDef kOps[] = {
    {"Zeros", "", kZerosSettings, "A tensor of zeros.", zeros},
    {"Ones", "", kZerosSettings, "A tensor of ones.", ones},
    {"Full", "", kFullSettings, "A tensor with one value everywhere.", full},
    {"ZerosLike", "x", kZerosLikeSettings, "Zeros with the shape of x.", zeros_like},
    {"OnesLike", "x", kZerosLikeSettings, "Ones with the shape of x.", ones_like},
    {"FullLike", "x", kFullLikeSettings, "One value everywhere, with the shape of x.", full_like},
    {"Arange", "", kArangeSettings, "Numbers from `start` up to, but not including, `stop`.",
     arange},
    {"Linspace", "", kLinspaceSettings, "Evenly spaced numbers from `start` to `stop`.", linspace},
    {"Eye", "", kEyeSettings, "A matrix of zeros with ones on a diagonal.", eye},
    {"Tril", "x", kTrilSettings,
     "The lower triangle of the last two axes, with zeros above diagonal k.", triangle<true>},
    {"Triu", "x", kTrilSettings,
     "The upper triangle of the last two axes, with zeros below diagonal k.", triangle<false>},
};
const RegisterOps registration{kOps};

}  // namespace
}  // namespace maskflow
