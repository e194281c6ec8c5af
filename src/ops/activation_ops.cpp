// SPDX-License-Identifier: MIT
// The activation functions as ops. Those of a whole row take an axis.
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
  std::vector<float> buffer(length);
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

// `name` is a template argument because a table entry is a plain function.
template <const char* const& kName>
Tensors compute(Operands operands, const OpAttributes& attributes) {
  const kernels::ActivationFunction& function = *find_activation(kName);
  if (function.row != nullptr) {
    return {along_axis(operands[0], attributes.integer("axis"), function.row)};
  }
  kernels::ActivationParameters parameters = function.defaults;
  for (std::size_t i = 0; i < 3; ++i) {
    if (function.names[i].empty() || attributes.is_null(function.names[i])) continue;
    const Value& given = attributes.get(function.names[i]);
    parameters[i] = given.is_bool() ? static_cast<float>(given.as_bool(""))
                                    : static_cast<float>(given.as_number(function.names[i]));
  }
  Tensor result = float_copy(operands[0]);
  function.pointwise(result.mutable_data<float>().data(), result.size(), parameters);
  return {result};
}

std::vector<OpAttribute> attributes_of(const kernels::ActivationFunction& function) {
  if (function.row != nullptr) return {{"axis", "number", "Axis of the rows.", false, -1}};
  std::vector<OpAttribute> attributes;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string_view name = function.names[i];
    if (name.empty()) continue;
    const bool flag = name == "approximate";
    const Value fallback = flag                  ? Value(false)
                           : name == "max_value" ? Value()
                                                 : Value(static_cast<double>(function.defaults[i]));
    attributes.push_back({name,
                          flag                  ? "boolean"
                          : name == "max_value" ? "number | null"
                                                : "number",
                          "", false, fallback});
  }
  return attributes;
}

template <const char* const& kName>
RegisterOp activation_op(std::string_view op) {
  const kernels::ActivationFunction& function = *find_activation(kName);
  return RegisterOp({op, "x", attributes_of(function), function.doc, compute<kName>});
}

#define MASKFLOW_ACTIVATION_OP(Op, activation) \
  constexpr const char* k##Op = activation;    \
  const RegisterOp register_##Op = activation_op<k##Op>(#Op);

MASKFLOW_ACTIVATION_OP(Celu, "celu")
MASKFLOW_ACTIVATION_OP(Elu, "elu")
MASKFLOW_ACTIVATION_OP(Exp, "exponential")
MASKFLOW_ACTIVATION_OP(Gelu, "gelu")
MASKFLOW_ACTIVATION_OP(HardShrink, "hard_shrink")
MASKFLOW_ACTIVATION_OP(HardSigmoid, "hard_sigmoid")
MASKFLOW_ACTIVATION_OP(HardSilu, "hard_silu")
MASKFLOW_ACTIVATION_OP(HardTanh, "hard_tanh")
MASKFLOW_ACTIVATION_OP(LeakyRelu, "leaky_relu")
MASKFLOW_ACTIVATION_OP(LogSigmoid, "log_sigmoid")
MASKFLOW_ACTIVATION_OP(LogSoftmax, "log_softmax")
MASKFLOW_ACTIVATION_OP(Mish, "mish")
MASKFLOW_ACTIVATION_OP(Relu, "relu")
MASKFLOW_ACTIVATION_OP(Relu6, "relu6")
MASKFLOW_ACTIVATION_OP(Selu, "selu")
MASKFLOW_ACTIVATION_OP(Sigmoid, "sigmoid")
MASKFLOW_ACTIVATION_OP(Silu, "silu")
MASKFLOW_ACTIVATION_OP(SoftShrink, "soft_shrink")
MASKFLOW_ACTIVATION_OP(Softmax, "softmax")
MASKFLOW_ACTIVATION_OP(Softplus, "softplus")
MASKFLOW_ACTIVATION_OP(Softsign, "softsign")
MASKFLOW_ACTIVATION_OP(SparsePlus, "sparse_plus")
MASKFLOW_ACTIVATION_OP(SparseSigmoid, "sparse_sigmoid")
MASKFLOW_ACTIVATION_OP(Sparsemax, "sparsemax")
MASKFLOW_ACTIVATION_OP(Squareplus, "squareplus")
MASKFLOW_ACTIVATION_OP(Tanh, "tanh")
MASKFLOW_ACTIVATION_OP(TanhShrink, "tanh_shrink")
MASKFLOW_ACTIVATION_OP(Threshold, "threshold")

// Gated linear unit (Dauphin et al. 2017): first half times sigmoid of the second.
Tensors glu(Operands operands, const OpAttributes& attributes) {
  Dict split;
  split["indices_or_sections"] = 2;
  split["axis"] = attributes.get("axis");
  const Tensors halves = apply_op("Split", operands.first(1), split);
  return {ops::multiply(halves[0], apply_op1("Sigmoid", {&halves[1], 1}))};
}
const RegisterOp register_glu{{"Glu",
                               "x",
                               {{"axis", "number", "Axis that is halved.", false, -1}},
                               "First half of an axis times the sigmoid of the second.",
                               glu}};

}  // namespace
}  // namespace maskflow
