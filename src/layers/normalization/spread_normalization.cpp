// SPDX-License-Identifier: MIT
#include "layers/normalization/normalization.hpp"
#include "ops/ops.hpp"

namespace maskflow {

Structure SpreadNormalization::call(const Args& args, Frame& /*frame*/) {
  const Tensor x = ops::cast(args.inputs.front(), DType::kFloat32);
  const bool last = sorted_axes(x.rank()) == std::vector<Dim>{x.rank() - 1};
  return {last && x.size() > 0 ? normalize_rows(x) : normalize_with_ops(x)};
}

Tensor SpreadNormalization::normalize_with_ops(const Tensor& x) const {
  const std::vector<Dim> axes = sorted_axes(x.rank());
  const auto [spread, centred, epsilon, gamma, beta] = scaling();
  const auto mean_square = [&](const Tensor& values) {
    return ops::mean(ops::multiply(values, values), axes, true);
  };
  if (spread == kernels::Spread::kMeanSquare) {
    return scale(x, mean_square(x), on_axes(x.shape()));
  }
  const Tensor difference = ops::subtract(x, ops::mean(x, axes, true));
  return scale(centred ? difference : x, mean_square(difference), on_axes(x.shape()));
}

Tensor SpreadNormalization::normalize_rows(const Tensor& x) const {
  const Shape weights = on_axes(x.shape());
  const auto width = static_cast<std::size_t>(x.shape().back());
  kernels::RowScaling settings = scaling();
  settings.epsilon = static_cast<float>(epsilon_);
  // These tensors own the numbers during the call, even if a weight is set again.
  const Tensor gamma = gamma_ ? placed(*gamma_, weights) : Tensor();
  const Tensor beta = beta_ ? placed(*beta_, weights) : Tensor();
  if (gamma_) settings.gamma = gamma.floats();
  if (beta_) settings.beta = beta.floats();
  Tensor result(DType::kFloat32, x.shape());
  kernels::normalize_rows(x.floats(), x.size() / width, width, settings, result.mutable_floats());
  return result;
}

}  // namespace maskflow
