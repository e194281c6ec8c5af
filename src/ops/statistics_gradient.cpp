// SPDX-License-Identifier: MIT
#include "ops/op_gradient.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

// Each result is the product of the elements up to its own. The derivative with respect to one of
// them is the product of the others, which is computed without dividing, because one may be 0.
Tensors cumprod(const RecordedOp& call, const Tensors& g) {
  const Tensor& x = call.operands[0];
  const bool flat = call.settings().is_null("axis");
  const int axis = flat ? 0 : normalize_axis(call.settings().integer("axis"), x.rank());
  const std::size_t inner = flat ? 1 : x.shape().elements_between(axis + 1, x.rank());
  const std::size_t length = flat ? x.size() : x.shape().length(axis);
  Tensor gradient = Tensor::zeros(DType::kFloat32, x.shape());
  const float* const values = x.floats();
  const float* const cotangents = g[0].floats();
  float* const to = gradient.mutable_floats();
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t step = i / inner % length;
    double before = 1;
    for (std::size_t k = 1; k <= step; ++k) before *= static_cast<double>(values[i - k * inner]);
    double total = 0;
    for (std::size_t k = 0; step + k < length && before != 0; ++k) {
      if (k > 0) before *= static_cast<double>(values[i + k * inner]);
      total += before * static_cast<double>(cotangents[i + k * inner]);
    }
    to[i] = static_cast<float>(total);
  }
  return {gradient};
}

constexpr OpGradient kGradients[] = {
    {"Average"},
    {"Cumprod", cumprod},
    {"PSNR"},
};
const RegisterOpGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
