// SPDX-License-Identifier: MIT
#include "ops/activation_gradient.hpp"

#include <numeric>

#include "base/index.hpp"
#include "kernels/activation_gradient.hpp"
#include "kernels/team.hpp"
#include "ops/op_gradient.hpp"
#include "ops/ops.hpp"
#include "ops/sorting.hpp"

namespace maskflow {
namespace {

using ops::multiply;

// Time of a derivative in multiply-adds.
constexpr std::size_t kWork = 4;

// --- Functions of a row ------------------------------------------------------------------------

Tensor sum_along(const Tensor& x, const Value& axis) { return ops::sum(x, ops::Axes(axis), true); }

Tensor softmax(const Tensor& y, const Tensor& g, const Value& axis) {
  return multiply(y, ops::subtract(g, sum_along(multiply(g, y), axis)));
}
Tensor log_softmax(const Tensor& y, const Tensor& g, const Value& axis) {
  return ops::subtract(g, multiply(ops::exp(y), sum_along(g, axis)));
}
// Follows Keras's formula: the threshold is computed from the sum of all partial sums, in which the
// k-th largest score counts once for each partial sum that includes it.
Tensor sparsemax(const Tensor& x, const Tensor& y, const Tensor& g, const Value& axis);

Tensor row_gradient(std::string_view name, const Tensor& x, const Tensor& y, const Tensor& g,
                    const Value& axis) {
  if (name == "softmax") return softmax(y, g, axis);
  if (name == "log_softmax") return log_softmax(y, g, axis);
  return sparsemax(x, y, g, axis);
}

Tensor sparsemax(const Tensor& x, const Tensor& y, const Tensor& g, const Value& axis) {
  const Dim row_axis =
      axis.is_number() ? axis.as_integer("axis") : axis.as_list("axis").front().as_integer("axis");
  const auto to_end = [&](const Tensor& t) { return ops::swap_axes(t, row_axis, -1); };
  const Tensor rows = to_end(x);
  const Tensor y_rows = to_end(y);
  const Tensor g_rows = to_end(g);
  Tensor result(DType::kFloat32, rows.shape());
  const std::size_t width = rows.shape().length(-1);
  const float* const scores = rows.floats();
  const float* const values = y_rows.floats();
  const float* const cotangents = g_rows.floats();
  float* const to = result.mutable_floats();
  std::vector<std::int32_t> order(width);
  for (std::size_t first = 0; first < rows.size(); first += width) {
    std::iota(order.begin(), order.end(), 0);
    merge_sort(order, [row = scores + first](std::int32_t a, std::int32_t b) {
      return row[at(a)] > row[at(b)];
    });
    float sum = 0;
    for (std::size_t i = 0; i < width; ++i) {
      if (values[first + i] > 0) sum += cotangents[first + i];
    }
    // How often each score enters the threshold: once for each partial sum that contains it.
    std::vector<float> counts(width, 0.0F);
    float partial = 0;
    float support = 0;
    for (std::size_t k = 0; k < width; ++k) {
      const float next = scores[first + at(order[k])];
      partial += next;
      if (next <= (partial - 1) / static_cast<float>(k + 1)) continue;
      support += 1;
      for (std::size_t i = 0; i <= k; ++i) counts[at(order[i])] += 1;
    }
    for (std::size_t i = 0; i < width; ++i) {
      const float direct = values[first + i] > 0 ? cotangents[first + i] : 0;
      to[first + i] = direct - sum * counts[i] / support;
    }
  }
  return to_end(result);
}

// --- pointwise functions ------------------------------------------------------------------------

Tensor pointwise(std::string_view name, const kernels::ActivationParameters& parameters,
                 const Tensor& x, const Tensor& y, const Tensor& g) {
  Tensor result(DType::kFloat32, x.shape());
  const kernels::ActivationSlope slope = kernels::activation_slope(name);
  const float* const in = x.floats();
  const float* const values = y.floats();
  const float* const cotangents = g.floats();
  float* const out = result.mutable_floats();
  kernels::parallel_elements(result.size(), kWork, [&](std::size_t begin, std::size_t end) {
    slope(in + begin, values + begin, cotangents + begin, out + begin, end - begin, parameters);
  });
  return result;
}

Tensors gradient(const RecordedOp& call, const Tensors& g) {
  const auto& f = *static_cast<const kernels::ActivationFunction*>(call.op.kernel);
  const Tensor& x = call.operands[0];
  const Tensor& y = call.results[0];
  if (f.row != nullptr) return {row_gradient(f.name, x, y, g[0], call.settings().get("axis"))};
  return {pointwise(f.name, parameters_of(call.settings()), x, y, g[0])};
}

constexpr OpGradient kGradients[] = {
    {"Celu", gradient},
    {"Elu", gradient},
    {"Exp", gradient},
    {"Gelu", gradient},
    {"HardShrink", gradient},
    {"HardSigmoid", gradient},
    {"HardSilu", gradient},
    {"HardTanh", gradient},
    {"LeakyRelu", gradient},
    {"LogSigmoid", gradient},
    {"LogSoftmax", gradient},
    {"Mish", gradient},
    {"Relu", gradient},
    {"Relu6", gradient},
    {"Selu", gradient},
    {"Sigmoid", gradient},
    {"Silu", gradient},
    {"SoftShrink", gradient},
    {"Softmax", gradient},
    {"Softplus", gradient},
    {"Softsign", gradient},
    {"SparsePlus", gradient},
    {"SparseSigmoid", gradient},
    {"Sparsemax", gradient},
    {"Squareplus", gradient},
    {"Tanh", gradient},
    {"TanhShrink", gradient},
    {"Threshold", gradient},
    {"Glu"},
};
const RegisterOpGradients registration{kGradients};

}  // namespace

Tensor activate(Tape& tape, const Activation& activation, const Tensor& x) {
  if (activation.name() == "linear") return x;
  if (activation.name() == "glu" || activation.is_custom()) return activation(x);
  const Tensor y = tape.unrecorded([&] { return activation(x); });
  tape.record({&x, 1}, {&y, 1}, [x, y, activation](const Tensors& g) -> Tensors {
    if (activation.is_pointwise()) {
      return {pointwise(activation.name(), activation.parameters(), x, y, g[0])};
    }
    return {row_gradient(activation.name(), x, y, g[0], -1)};
  });
  return y;
}

}  // namespace maskflow
