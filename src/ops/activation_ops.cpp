// SPDX-License-Identifier: MIT
// The activation functions as ops. Functions of rows have the attribute `axis`.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "ops/activation.hpp"
#include "ops/integer_clip.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

Tensor float_copy(const Tensor& x) {
  const Tensor source = ops::cast(x, DType::kFloat32);
  Tensor result(DType::kFloat32, x.shape());
  if (result.bytes() > 0) std::memcpy(result.mutable_raw(), source.raw(), result.bytes());
  return result;
}

// Returns the offsets of the elements whose indices are 0 except along `axes`, a set of bits.
std::vector<std::size_t> offsets(const Shape& shape, std::uint32_t axes) {
  std::vector<std::size_t> result{0};
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    if ((axes >> axis & 1) == 0) continue;
    const std::size_t step = shape.elements_between(axis + 1, shape.rank());
    const auto count = result.size();
    const std::size_t size = shape.length(axis);
    result.resize(count * size);
    for (std::size_t i = count; i < result.size(); ++i) {
      result[i] = result[i - count] + step;
    }
  }
  return result;
}

// Returns the axes of the rows as a set of bits; null means all axes.
std::uint32_t axes_of_rows(const OpAttributes& attributes, int rank) {
  if (attributes.is_null("axis")) return ~std::uint32_t{0};
  std::uint32_t axes = 0;
  for (const Dim axis : attributes.integers("axis")) {
    axes |= std::uint32_t{1} << normalize_axis(axis, rank);
  }
  return axes;
}

// Runs a row function along some axes. Rows that are not contiguous are copied to a buffer.
Tensor along_axes(const Tensor& x, std::uint32_t row_axes, void (*row)(float*, std::size_t)) {
  Tensor result = float_copy(x);
  if (result.size() == 0) return result;
  const std::vector<std::size_t> in_row = offsets(x.shape(), row_axes);
  const std::size_t length = in_row.size();
  float* data = result.mutable_floats();
  std::vector<float> buffer(length);
  for (const std::size_t offset : offsets(x.shape(), ~row_axes)) {
    float* const first = data + offset;
    if (in_row.back() == length - 1) {
      row(first, length);
      continue;
    }
    for (std::size_t k = 0; k < length; ++k) buffer[k] = first[in_row[k]];
    row(buffer.data(), length);
    for (std::size_t k = 0; k < length; ++k) first[in_row[k]] = buffer[k];
  }
  return result;
}

Tensors compute(Operands operands, const OpAttributes& attributes) {
  const auto& function = *static_cast<const kernels::ActivationFunction*>(attributes.op().kernel);
  // The attributes of functions of rows are no parameters.
  if (function.row != nullptr) {
    return {along_axes(operands[0], axes_of_rows(attributes, operands[0].rank()), function.row)};
  }
  if (operands[0].dtype() == DType::kInt32) {
    const auto clip = integer_clip(function.name, parameters_of(attributes));
    if (clip) return {clip_integers(operands[0], *clip)};
  }
  Tensor result = float_copy(operands[0]);
  function.pointwise(result.mutable_floats(), result.size(), parameters_of(attributes));
  return {result};
}

constexpr OpAttribute kAxis[] = {
    {"axis", "number | number[] | null", "Axis or axes of the rows; null: all.", false, -1}};

OpAttribute attribute(std::string_view name, float value) {
  if (name == "approximate") return {name, "boolean", "", false, value != 0};
  // A max_value of null means that there is no bound.
  if (name == "max_value") return {name, "number | null", "", false, {}};
  return {name, "number", "", false, value};
}

// Keras's class names of these ops; the names of the functions are the same in snake case.
constexpr std::string_view kNames[] = {
    "Celu",       "Elu",      "Exp",        "Gelu",       "HardShrink",    "HardSigmoid",
    "HardSilu",   "HardTanh", "LeakyRelu",  "LogSigmoid", "LogSoftmax",    "Mish",
    "Relu",       "Relu6",    "Selu",       "Sigmoid",    "Silu",          "SoftShrink",
    "Softmax",    "Softplus", "Softsign",   "SparsePlus", "SparseSigmoid", "Sparsemax",
    "Squareplus", "Tanh",     "TanhShrink", "Threshold",
};

// The table of these ops, generated from that of the functions.
class ActivationOps {
 public:
  ActivationOps() {
    for (std::size_t i = 0; i < std::size(kNames); ++i) {
      const kernels::ActivationFunction& function = *find_activation(snake_case(kNames[i]));
      std::span<const OpAttribute> attributes = kAxis;
      if (function.row == nullptr) {
        std::size_t count = 0;
        for (; count < 3 && !function.names[count].view().empty(); ++count) {
          attributes_[i][count] = attribute(function.names[count], function.defaults[count]);
        }
        attributes = std::span(attributes_[i]).first(count);
      }
      ops_[i] = {kNames[i], "x", attributes, function.doc, compute, &function};
    }
  }
  [[nodiscard]] std::span<const OpDef> ops() const { return ops_; }

 private:
  std::array<std::array<OpAttribute, 3>, std::size(kNames)> attributes_;
  std::array<OpDef, std::size(kNames)> ops_;
};
const ActivationOps activation_ops;
const RegisterOps activation_registration{activation_ops.ops()};

// Gated linear unit (Dauphin et al. 2017).
Tensors glu(Operands operands, const OpAttributes& attributes) {
  const Tensors halves = ops::split(operands[0], 2, attributes.integer("axis"));
  return {ops::multiply(halves[0], ops::sigmoid(halves[1]))};
}
constexpr OpAttribute kGluAttributes[] = {{"axis", "number", "Axis to halve.", false, -1}};
constexpr OpDef kOps[] = {
    {"Glu", "x", kGluAttributes,
     "First half of an axis times the sigmoid of the second half (Dauphin et al. 2017).", glu},
};
const RegisterOps registration{kOps};

}  // namespace

kernels::ActivationParameters parameters_of(const OpAttributes& attributes) {
  const auto& function = *static_cast<const kernels::ActivationFunction*>(attributes.op().kernel);
  kernels::ActivationParameters parameters = function.defaults;
  for (std::size_t i = 0; i < attributes.op().attributes.size(); ++i) {
    const Value value = attributes.get(function.names[i]);
    if (value.is_null()) continue;
    parameters[i] = value.is_bool() ? static_cast<float>(value.as_bool(""))
                                    : static_cast<float>(value.as_number(function.names[i]));
  }
  return parameters;
}

}  // namespace maskflow
