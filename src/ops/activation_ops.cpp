// SPDX-License-Identifier: MIT
// The activation functions as ops. Those of a whole row take an axis.
#include <array>
#include <cstring>
#include <vector>

#include "ops/activation.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

Tensor float_copy(const Tensor& x) {
  const Tensor source = ops::cast(x, DType::kFloat32);
  Tensor result(DType::kFloat32, x.shape());
  if (result.bytes() > 0) std::memcpy(result.raw(), source.raw(), result.bytes());
  return result;
}

// Runs a row function along any axis: rows that are not contiguous go through a buffer.
Tensor along_axis(const Tensor& x, Dim axis, void (*row)(float*, std::size_t)) {
  Tensor result = float_copy(x);
  const int at = normalize_axis(axis, x.rank());
  const auto length = static_cast<std::size_t>(x.shape()[at]);
  const auto inner = static_cast<std::size_t>(x.shape().size_between(at + 1, x.rank()));
  const auto outer = static_cast<std::size_t>(x.shape().size_between(0, at));
  float* data = result.mutable_data<float>().data();
  std::vector<float> buffer(inner > 1 && result.size() > 0 ? length : 0);
  for (std::size_t o = 0; length > 0 && o < outer; ++o) {
    for (std::size_t i = 0; i < inner; ++i) {
      float* first = data + o * length * inner + i;
      if (inner == 1) {
        row(first, length);
        continue;
      }
      for (std::size_t k = 0; k < length; ++k) buffer[k] = first[k * inner];
      row(buffer.data(), length);
      for (std::size_t k = 0; k < length; ++k) first[k * inner] = buffer[k];
    }
  }
  return result;
}

Tensors compute(Operands operands, const OpAttributes& attributes) {
  const auto& function = *static_cast<const kernels::ActivationFunction*>(attributes.op().kernel);
  if (function.row != nullptr) {
    return {along_axis(operands[0], attributes.integer("axis"), function.row)};
  }
  kernels::ActivationParameters parameters = function.defaults;
  for (std::size_t i = 0; i < attributes.op().attributes.size(); ++i) {
    const Value given = attributes.get(function.names[i]);
    if (given.is_null()) continue;
    parameters[i] = given.is_bool() ? static_cast<float>(given.as_bool(""))
                                    : static_cast<float>(given.as_number(function.names[i]));
  }
  Tensor result = float_copy(operands[0]);
  function.pointwise(result.mutable_data<float>().data(), result.size(), parameters);
  return {result};
}

constexpr OpAttribute kAxis[] = {{"axis", "number", "Axis of the rows.", false, -1}};

OpAttribute setting(std::string_view name, float value) {
  if (name == "approximate") return {name, "boolean", "", false, value != 0};
  // Infinity: no bound.
  if (name == "max_value") return {name, "number | null", "", false, {}};
  return {name, "number", "", false, value};
}

// Keras's class name, which as an activation is written in snake case.
constexpr std::string_view kNames[] = {
    "Celu",       "Elu",      "Exp",        "Gelu",       "HardShrink",    "HardSigmoid",
    "HardSilu",   "HardTanh", "LeakyRelu",  "LogSigmoid", "LogSoftmax",    "Mish",
    "Relu",       "Relu6",    "Selu",       "Sigmoid",    "Silu",          "SoftShrink",
    "Softmax",    "Softplus", "Softsign",   "SparsePlus", "SparseSigmoid", "Sparsemax",
    "Squareplus", "Tanh",     "TanhShrink", "Threshold",
};

// The table of these ops, made from that of the functions.
class ActivationOps {
 public:
  ActivationOps() {
    for (std::size_t i = 0; i < std::size(kNames); ++i) {
      const kernels::ActivationFunction& function = *find_activation(snake_case(kNames[i]));
      std::span<const OpAttribute> settings = kAxis;
      if (function.row == nullptr) {
        std::size_t count = 0;
        for (; count < 3 && !function.names[count].empty(); ++count) {
          settings_[i][count] = setting(function.names[count], function.defaults[count]);
        }
        settings = std::span(settings_[i]).first(count);
      }
      ops_[i] = {kNames[i], "x", settings, function.doc, compute, &function};
    }
  }
  [[nodiscard]] std::span<const OpDef> ops() const { return ops_; }

 private:
  std::array<std::array<OpAttribute, 3>, std::size(kNames)> settings_;
  std::array<OpDef, std::size(kNames)> ops_;
};
const ActivationOps activation_ops;
const RegisterOps activation_registration{activation_ops.ops()};

// Gated linear unit (Dauphin et al. 2017): first half times sigmoid of the second.
Tensors glu(Operands operands, const OpAttributes& attributes) {
  Dict split;
  split["indices_or_sections"] = 2;
  split["axis"] = attributes.get("axis");
  const Tensors halves = apply_op("Split", operands.first(1), split);
  return {ops::multiply(halves[0], apply_op1("Sigmoid", {&halves[1], 1}))};
}
constexpr OpAttribute kHalved[] = {{"axis", "number", "Axis that is halved.", false, -1}};
constexpr OpDef kOps[] = {
    {"Glu", "x", kHalved, "First half of an axis times the sigmoid of the second.", glu},
};
const RegisterOps registration{kOps};

}  // namespace
}  // namespace maskflow
