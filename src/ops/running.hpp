// SPDX-License-Identifier: MIT
// Cumulative sums and products along an axis.
#pragma once

#include <type_traits>

#include "ops/ops.hpp"

namespace maskflow::ops {

template <class T, class Combine>
Tensor running_of(const Tensor& x, int axis) {
  const std::size_t inner = x.shape().elements_between(axis + 1, x.rank());
  const std::size_t length = x.shape().length(axis);
  Tensor result = Tensor::from<T>(x.shape(), x.data<T>());
  const std::span<T> out = result.mutable_data<T>();
  // Integers wrap; a signed overflow would be undefined.
  using Number = std::conditional_t<std::is_same_v<T, float>, float, std::uint32_t>;
  for (std::size_t i = inner; i < out.size(); ++i) {
    if (i / inner % length == 0) continue;
    out[i] =
        static_cast<T>(Combine()(static_cast<Number>(out[i]), static_cast<Number>(out[i - inner])));
  }
  return result;
}

// Combines each element with all before it along the attribute `axis`, after a conversion to the
// attribute `dtype`: float32 numbers as such, all others as int32.
template <class Combine>
Tensor running(const Tensor& operand, const OpAttributes& attributes) {
  const auto [source, axis] = along_axis(operand, attributes);
  const Tensor x = attributes.is_null("dtype") ? source : cast(source, attributes.dtype("dtype"));
  if (x.dtype() == DType::kFloat32) return running_of<float, Combine>(x, axis);
  return running_of<std::int32_t, Combine>(cast(x, DType::kInt32), axis);
}

}  // namespace maskflow::ops
