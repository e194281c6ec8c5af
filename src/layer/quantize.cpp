// SPDX-License-Identifier: MIT
#include "layer/quantize.hpp"

#include <cmath>

#include "kernels/quantized_rows.hpp"

namespace maskflow {
namespace {

bool can_be_quantized(const Variable& variable) {
  return variable.use() != Variable::Use::kValue && variable.shape().size() > 0;
}

void check_finite(const Layer::Weight& weight) {
  const Tensor value = weight.variable->read();
  if (kernels::all_finite(value.data<float>())) return;
  for (const float x : value.data<float>()) {
    if (!std::isfinite(x)) value_error("weight '", weight.path, "' holds ", static_cast<double>(x));
  }
}

// Counts the memory of a form while it exists, as that of the floats was counted.
std::shared_ptr<const kernels::MatrixForm> counted(const kernels::MatrixForm* form) {
  const auto bytes = static_cast<std::int64_t>(form->bytes());
  count_memory(bytes);
  return {form, [bytes](const kernels::MatrixForm* unused) {
            count_memory(-bytes);
            delete unused;
          }};
}

std::size_t quantize_matrices(Variable& variable, const Tensor& floats,
                              kernels::Activations activations) {
  std::vector<std::shared_ptr<const kernels::MatrixForm>> forms;
  std::size_t bytes = 0;
  for (const kernels::MatrixPlace& place : variable.matrices()) {
    forms.push_back(counted(new kernels::QuantizedMatrix(floats.floats(), place, activations)));
    bytes += forms.back()->bytes();
  }
  variable.set_forms(forms);
  return bytes;
}

std::size_t quantize_rows(Variable& variable, const Tensor& floats) {
  const auto width = static_cast<std::size_t>(floats.shape().back());
  const std::size_t rows = floats.size() / width;
  const std::size_t row_bytes = kernels::quantized_row_bytes(width);
  auto buffer = std::make_shared<Buffer>(rows * row_bytes);
  for (std::size_t row = 0; row < rows; ++row) {
    kernels::quantize_row(floats.floats() + row * width, width,
                          buffer->mutable_data() + row * row_bytes);
  }
  variable.set_table({buffer, width, row_bytes, kernels::read_quantized_row});
  return rows * row_bytes;
}

double largest_difference(std::span<const float> a, std::span<const float> b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    worst = std::max(worst, std::fabs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
  }
  return worst;
}

// Converts a weight that can be quantized. Returns the bytes of the new form.
std::size_t convert(Variable& variable, const Tensor& floats, kernels::Activations activations) {
  return variable.use() == Variable::Use::kRows ? quantize_rows(variable, floats)
                                                : quantize_matrices(variable, floats, activations);
}

QuantizedWeight convert_and_report(const Layer::Weight& weight, kernels::Activations activations) {
  Variable& variable = *weight.variable;
  const auto floats = variable.shape().elements() * sizeof(float);
  if (!can_be_quantized(variable)) {
    return {weight.path, variable.shape(), floats, floats, 0, false};
  }
  const Tensor before = variable.read();
  const std::span<const float> exact = before.data<float>();
  const std::size_t bytes = convert(variable, before, activations);
  const Tensor after = variable.read();
  return {
      weight.path, variable.shape(), floats, bytes, largest_difference(after.data<float>(), exact),
      true};
}

}  // namespace

std::vector<QuantizedWeight> quantize(const Layer& layer, kernels::Activations activations) {
  const std::vector<Layer::Weight> weights = layer.weights();
  for (const Layer::Weight& weight : weights) {
    if (can_be_quantized(*weight.variable)) check_finite(weight);
  }
  std::vector<QuantizedWeight> result;
  for (const Layer::Weight& weight : weights)
    result.push_back(convert_and_report(weight, activations));
  return result;
}

void quantize_weight(const Layer::Weight& weight, kernels::Activations activations) {
  Variable& variable = *weight.variable;
  if (!can_be_quantized(variable)) return;
  check_finite(weight);
  convert(variable, variable.read(), activations);
}

}  // namespace maskflow
