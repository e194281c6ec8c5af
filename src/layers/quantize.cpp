// SPDX-License-Identifier: MIT
#include "layers/quantize.hpp"

#include <algorithm>
#include <cmath>

namespace maskflow {
namespace {

// Matrices that are read as PackedMatrix and nothing else. Kernels of convolutions and of einsum
// are packed by their layers, biases and tables are no matrices of a product.
bool is_kernel(const Variable& variable) {
  const std::string& name = variable.name();
  return variable.shape().rank() == 2 && variable.dtype() == DType::kFloat32 &&
         variable.shape().size() > 0 && (name == "kernel" || name == "recurrent_kernel");
}

QuantizedWeight quantize_weight(const Layer::Weight& weight, kernels::Activations activations) {
  Variable& variable = *weight.variable;
  const Tensor before = variable.value();
  const auto columns = static_cast<std::size_t>(variable.shape().back());
  const std::size_t rows = before.size() / columns;
  const std::span<const float> floats = before.data<float>();
  for (const float x : floats) {
    if (!std::isfinite(x)) value_error("weight '", weight.path, "' holds ", static_cast<double>(x));
  }
  auto form = std::make_shared<kernels::QuantizedMatrix>(floats.data(), rows, columns, activations);
  std::vector<float> after(before.size());
  form->unpack(after.data());
  double worst = 0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    worst =
        std::max(worst, std::fabs(static_cast<double>(after[i]) - static_cast<double>(floats[i])));
  }
  const std::size_t bytes = form->bytes();
  variable.set_form(std::move(form));
  return {weight.path, variable.shape(), before.bytes(), bytes, worst};
}

}  // namespace

std::vector<QuantizedWeight> quantize(const Layer& layer, kernels::Activations activations) {
  std::vector<QuantizedWeight> done;
  std::vector<const Variable*> seen;
  for (const Layer::Weight& weight : layer.weights()) {
    const Variable* variable = weight.variable.get();
    if (!is_kernel(*variable) || std::find(seen.begin(), seen.end(), variable) != seen.end())
      continue;
    seen.push_back(variable);
    done.push_back(quantize_weight(weight, activations));
  }
  return done;
}

}  // namespace maskflow
