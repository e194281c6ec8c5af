// SPDX-License-Identifier: MIT
// Ops that make tensors from nothing, or from the shape of another; and triangles.
#include <algorithm>
#include <cmath>

#include "ops/ops.hpp"

namespace maskflow {
namespace {

Shape wanted_shape(const OpAttributes& attributes) {
  const std::vector<Dim> dims = attributes.integers("shape");
  for (const Dim dim : dims) {
    if (dim < 0) {
      shape_error("'shape' has the negative dimension ", dim, "; dimensions are 0 or more");
    }
  }
  return Shape(dims);
}

Tensors zeros(Operands, const OpAttributes& a) {
  return {Tensor::zeros(a.dtype("dtype"), wanted_shape(a))};
}
Tensors ones(Operands, const OpAttributes& a) {
  return {Tensor::full(a.dtype("dtype"), wanted_shape(a), 1)};
}
Tensors full(Operands, const OpAttributes& a) {
  return {Tensor::full(a.dtype("dtype"), wanted_shape(a), a.number("fill_value"))};
}

DType like(const Tensor& x, const OpAttributes& attributes) {
  return attributes.is_null("dtype") ? x.dtype() : attributes.dtype("dtype");
}
Tensors zeros_like(Operands x, const OpAttributes& a) {
  return {Tensor::zeros(like(x[0], a), x[0].shape())};
}
Tensors ones_like(Operands x, const OpAttributes& a) {
  return {Tensor::full(like(x[0], a), x[0].shape(), 1)};
}
Tensors full_like(Operands x, const OpAttributes& a) {
  return {Tensor::full(like(x[0], a), x[0].shape(), a.number("fill_value"))};
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
  if (step == 0 || std::isnan(step)) value_error("step is ", step, " but must be another number");
  const double count = std::max(0.0, std::ceil((stop - start) / step));
  if (!(count < 2147483648.0)) value_error("the range from ", start, " to ", stop, " is too long");
  const bool whole =
      start == std::floor(start) && stop == std::floor(stop) && step == std::floor(step);
  const DType dtype = !a.is_null("dtype") ? a.dtype("dtype")
                      : whole             ? DType::kInt32
                                          : DType::kFloat32;
  Tensor result(whole ? DType::kInt32 : DType::kFloat32, {static_cast<Dim>(count)});
  for (std::size_t i = 0; i < result.size(); ++i) {
    const double value = start + step * static_cast<double>(i);
    if (whole) {
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
  const double step = count > 1 ? (a.number("stop") - start) / static_cast<double>(count - 1) : 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    result.mutable_data<float>()[i] = static_cast<float>(start + step * static_cast<double>(i));
  }
  return {result};
}

Tensors eye(Operands, const OpAttributes& a) {
  const Dim rows = a.integer("n");
  const Dim columns = a.is_null("m") ? rows : a.integer("m");
  const Dim shift = a.integer("k");
  Tensor result = Tensor::zeros(DType::kFloat32, {rows, columns});
  for (Dim i = std::max<Dim>(0, -shift); i < std::min(rows, columns - shift); ++i) {
    result.mutable_data<float>()[static_cast<std::size_t>(i * columns + i + shift)] = 1;
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
      keep.mutable_data<std::uint8_t>()[static_cast<std::size_t>(i * columns + j)] =
          kLower ? j <= i + shift : j >= i + shift;
    }
  }
  return {ops::where(keep, x[0], Tensor::scalar(x[0].dtype(), 0))};
}

constexpr OpAttribute kShape{"shape", "number[]", "The shape.", true, {}};
constexpr OpAttribute kDtype{"dtype", "DType", "Of the result.", false, "float32"};
constexpr OpAttribute kLikeDtype{
    "dtype", "DType | null", "Of the result; null: that of x.", false, {}};
constexpr OpAttribute kFill{"fill_value", "number", "The number.", true, {}};
constexpr OpAttribute kDiagonal{"k", "number", "Diagonal: 0 the main one, above it positive.",
                                false, 0};

constexpr OpAttribute kZerosSettings[] = {kShape, kDtype};
constexpr OpAttribute kFullSettings[] = {kShape, kFill, kDtype};
constexpr OpAttribute kZerosLikeSettings[] = {kLikeDtype};
constexpr OpAttribute kFullLikeSettings[] = {kFill, kLikeDtype};
constexpr OpAttribute kArangeSettings[] = {
    {"start", "number", "First number; the end when `stop` is not given.", true, {}},
    {"stop", "number | null", "The end, not included.", false, {}},
    {"step", "number", "From one to the next.", false, 1},
    {"dtype", "DType | null", "null: int32 when all are whole.", false, {}}};
constexpr OpAttribute kLinspaceSettings[] = {{"start", "number", "First number.", true, {}},
                                             {"stop", "number", "Last number.", true, {}},
                                             {"num", "number", "How many.", false, 50}};
constexpr OpAttribute kEyeSettings[] = {
    {"n", "number", "Rows.", true, {}},
    {"m", "number | null", "Columns; null: as rows.", false, {}},
    kDiagonal,
    kDtype};
constexpr OpAttribute kTrilSettings[] = {kDiagonal};

constexpr OpDef kOps[] = {
    {"Zeros", "", kZerosSettings, "Zeros.", zeros},
    {"Ones", "", kZerosSettings, "Ones.", ones},
    {"Full", "", kFullSettings, "One number everywhere.", full},
    {"ZerosLike", "x", kZerosLikeSettings, "Zeros in the shape of x.", zeros_like},
    {"OnesLike", "x", kZerosLikeSettings, "Ones in the shape of x.", ones_like},
    {"FullLike", "x", kFullLikeSettings, "One number in the shape of x.", full_like},
    {"Arange", "", kArangeSettings, "Numbers from start to stop.", arange},
    {"Linspace", "", kLinspaceSettings, "Numbers at equal distances, both ends included.",
     linspace},
    {"Eye", "", kEyeSettings, "Ones on a diagonal.", eye},
    {"Tril", "x", kTrilSettings, "The lower triangle of the last two axes, zeros elsewhere.",
     triangle<true>},
    {"Triu", "x", kTrilSettings, "The upper triangle of the last two axes, zeros elsewhere.",
     triangle<false>},
};
const RegisterOps registration{kOps};

}  // namespace
}  // namespace maskflow
