// SPDX-License-Identifier: MIT
#include "layers/normalization/normalization.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

// The mean as a distance from the first number, as kernels/normalize_rows computes it.
Tensor mean_of(const Tensor& x, const std::vector<Dim>& axes) {
  if (x.size() == 0) return ops::mean(x, axes, true);
  Tensor first = x;
  for (const Dim axis : axes) first = ops::slice_axis(first, static_cast<int>(axis), 0, 1);
  // The derivative does not depend on what the distance is from.
  first = ops::unary("StopGradient", first);
  return ops::add(first, ops::mean(ops::subtract(x, first), axes, true));
}

}  // namespace

Structure SpreadNormalization::call(const Args& args, Frame& /*frame*/) {
  const Tensor x = ops::cast(args.inputs.front(), DType::kFloat32);
  const bool last = sorted_axes(x.rank()) == std::vector<Dim>{x.rank() - 1};
  if (!last || x.size() == 0) return {normalize_with_ops(x)};
  Tensor result(DType::kFloat32, x.shape());
  const float* const input = x.floats();
  const auto width = static_cast<std::size_t>(x.shape().back());
  write_normalized({{&input, 1}, x.size() / width, width, result.mutable_floats()});
  return {result};
}

bool SpreadNormalization::write_rows(const RowCall& rows) {
  if (!each_row_alone()) return false;
  write_normalized(rows);
  return true;
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
  const Tensor difference = ops::subtract(x, mean_of(x, axes));
  return scale(centred ? difference : x, mean_square(difference), on_axes(x.shape()));
}

void SpreadNormalization::write_normalized(const RowCall& rows) const {
  kernels::RowScaling settings = scaling();
  settings.epsilon = static_cast<float>(epsilon_);
  const auto numbers = [&](const VariablePtr& weight) -> const float* {
    if (weight == nullptr) return nullptr;
    check_size(*weight, {static_cast<Dim>(rows.width)});
    return weight->data();
  };
  settings.gamma = numbers(gamma_);
  settings.beta = numbers(beta_);
  kernels::normalize_rows(rows.inputs.front(), rows.count, rows.width, settings, rows.output);
}

}  // namespace maskflow
