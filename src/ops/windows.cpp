// SPDX-License-Identifier: MIT
// Weights for parts of signals, and other vectors and matrices that are computed from a few
// numbers.
#include <algorithm>
#include <cmath>

#include "ops/ops.hpp"

namespace maskflow {
namespace {

Dim size_of_window(const OpAttributes& attributes) {
  const Dim size = attributes.integer("x");
  if (size < 0) value_error("'x' is ", size, " but must not be negative");
  return size;
}

// 0, 1, …, size - 1 times `step`.
Tensor numbers(Dim size, double step) {
  Tensor result(DType::kFloat32, {size});
  for (Dim i = 0; i < size; ++i) {
    result.mutable_floats()[i] = static_cast<float>(static_cast<double>(i) * step);
  }
  return result;
}

// Positions from 0 to `end`; a single one is in the middle.
Tensor positions(Dim size, double end) {
  if (size == 1) return Tensor::full(DType::kFloat32, {1}, end / 2);
  return numbers(size, size < 2 ? 0 : end / static_cast<double>(size - 1));
}

constexpr double kTwoPi = 6.28318530717958647692;

// a - b cos(angle) + c cos(2 angle)
Tensors cosines(const OpAttributes& attributes, double a, double b, double c) {
  const Tensor angle = positions(size_of_window(attributes), kTwoPi);
  const Tensor first = ops::multiply(ops::cos(angle), ops::number(b));
  const Tensor twice = ops::multiply(angle, ops::number(2));
  const Tensor second = ops::multiply(ops::cos(twice), ops::number(c));
  return {ops::add(ops::subtract(ops::number(a), first), second)};
}
Tensors hanning(Operands, const OpAttributes& attributes) {
  return cosines(attributes, 0.5, 0.5, 0);
}
Tensors hamming(Operands, const OpAttributes& attributes) {
  return cosines(attributes, 0.54, 0.46, 0);
}
Tensors blackman(Operands, const OpAttributes& attributes) {
  return cosines(attributes, 0.42, 0.5, 0.08);
}
Tensors bartlett(Operands, const OpAttributes& attributes) {
  const Tensor place = positions(size_of_window(attributes), 2);
  const Tensor distance = ops::absolute(ops::subtract(place, ops::number(1)));
  return {ops::subtract(ops::number(1), distance)};
}
Tensors kaiser(Operands, const OpAttributes& attributes) {
  const Tensor place = ops::subtract(positions(size_of_window(attributes), 2), ops::number(1));
  const Tensor beta = ops::number(attributes.number("beta"));
  const Tensor height =
      ops::sqrt(ops::maximum(ops::subtract(ops::number(1), ops::square(place)), ops::number(0)));
  return {ops::divide(ops::unary("I0", ops::multiply(beta, height)), ops::unary("I0", beta))};
}

Tensors tri(Operands, const OpAttributes& attributes) {
  const Dim rows = attributes.integer("n");
  const Dim columns = attributes.is_null("m") ? rows : attributes.integer("m");
  if (rows < 0 || columns < 0) value_error("'n' and 'm' must not be negative");
  const Tensor ones = Tensor::full(attributes.dtype("dtype"), {rows, columns}, 1);
  Dict settings;
  settings["k"] = attributes.get("k");
  return {apply_op1("Tril", {&ones, 1}, settings)};
}

// Numbers with evenly spaced logarithms, times `factor`.
Tensors powers(const OpAttributes& attributes, double base, double start, double stop,
               double factor) {
  if (!(base > 0)) value_error("the base of the powers is ", base, " but must be positive");
  const Dim count = attributes.integer("num");
  if (count < 0) value_error("'num' is ", count, " but must not be negative");
  const Dim gaps = attributes.flag("endpoint") ? count - 1 : count;
  Tensor result(DType::kFloat32, {count});
  for (Dim i = 0; i < count; ++i) {
    const double share = gaps > 0 ? static_cast<double>(i) / static_cast<double>(gaps) : 0;
    const double exponent = start + (stop - start) * share;
    result.mutable_floats()[i] = static_cast<float>(factor * std::exp(exponent * std::log(base)));
  }
  return {ops::cast(result, attributes.dtype("dtype"))};
}
Tensors logspace(Operands, const OpAttributes& attributes) {
  return powers(attributes, attributes.number("base"), attributes.number("start"),
                attributes.number("stop"), 1);
}
Tensors geomspace(Operands, const OpAttributes& attributes) {
  const double start = attributes.number("start");
  const double ratio = attributes.number("stop") / start;
  if (!(ratio > 0)) value_error("'start' and 'stop' must have the same sign and not be 0");
  return powers(attributes, ratio, 0, 1, start);
}

constexpr OpAttribute kWindowSettings[] = {{"x", "number", "Number of weights.", true, {}}};
constexpr OpAttribute kKaiserSettings[] = {
    kWindowSettings[0],
    {"beta", "number", "Shape: 0 for equal weights; larger numbers make it narrower.", true, {}}};
constexpr OpAttribute kDtype = {"dtype", "DType", "dtype of the result.", false, "float32"};
constexpr OpAttribute kTriSettings[] = {
    {"n", "number", "Number of rows.", true, {}},
    {"m", "number | null", "Number of columns; null: as many as rows.", false, {}},
    {"k", "number", "Diagonal: 0 is the main one, positive numbers are above it.", false, 0},
    kDtype};
constexpr OpAttribute kNum = {"num", "number", "Number of elements; at least 0.", false, 50};
constexpr OpAttribute kEndpoint = {"endpoint", "boolean", "Whether `stop` is the last number.",
                                   false, true};
constexpr OpAttribute kLogspaceSettings[] = {
    {"start", "number", "Exponent of the first number.", true, {}},
    {"stop", "number", "Exponent of the last number.", true, {}},
    kNum,
    kEndpoint,
    {"base", "number", "Base of the powers.", false, 10},
    kDtype};
constexpr OpAttribute kGeomspaceSettings[] = {{"start", "number", "First number.", true, {}},
                                              {"stop", "number", "Last number.", true, {}},
                                              kNum,
                                              kEndpoint,
                                              kDtype};

constexpr OpDef kOps[] = {
    {"Hanning", "", kWindowSettings, "The Hann window: a cosine from 0 to 1 and back.", hanning},
    {"Hamming", "", kWindowSettings, "The Hamming window: a cosine from 0.08 to 1 and back.",
     hamming},
    {"Blackman", "", kWindowSettings, "The Blackman window, of two cosines.", blackman},
    {"Bartlett", "", kWindowSettings, "The Bartlett window: a triangle from 0 to 1 and back.",
     bartlett},
    {"Kaiser", "", kKaiserSettings, "The Kaiser window, of Bessel functions.", kaiser},
    {"Tri", "", kTriSettings, "A matrix of ones at and below a diagonal, and zeros above it.", tri},
    {"Logspace", "", kLogspaceSettings, "Powers of a base with evenly spaced exponents.", logspace},
    {"Geomspace", "", kGeomspaceSettings, "Numbers from `start` to `stop` with equal ratios.",
     geomspace},
};
const RegisterOps registration{kOps, "maskflow/train"};

}  // namespace
}  // namespace maskflow
