// SPDX-License-Identifier: MIT
// Ops as C++ functions, for layers. All of them record instead of computing when an operand is
// symbolic.
#pragma once

#include <array>
#include <span>

#include "ops/op.hpp"
#include "tensor/mask.hpp"

namespace maskflow::ops {

// Any op of two tensors, by Keras's name.
[[nodiscard]] Tensor binary(Name name, const Tensor& a, const Tensor& b);
[[nodiscard]] Tensor add(const Tensor& a, const Tensor& b);
[[nodiscard]] Tensor subtract(const Tensor& a, const Tensor& b);
[[nodiscard]] Tensor multiply(const Tensor& a, const Tensor& b);
[[nodiscard]] Tensor divide(const Tensor& a, const Tensor& b);
[[nodiscard]] Tensor not_equal(const Tensor& a, const Tensor& b);
[[nodiscard]] Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b);
// The tensor itself when it has the dtype already.
[[nodiscard]] Tensor cast(const Tensor& x, DType dtype);
[[nodiscard]] Tensor sum(const Tensor& x, std::span<const Dim> axes, bool keepdims);
[[nodiscard]] Tensor mean(const Tensor& x, std::span<const Dim> axes, bool keepdims);
[[nodiscard]] Tensor expand_dims(const Tensor& x, Dim axis);
[[nodiscard]] Tensor swap_axes(const Tensor& x, Dim axis1, Dim axis2);
[[nodiscard]] Tensor concatenate(Operands parts, Dim axis);
[[nodiscard]] Tensor matmul(const Tensor& a, const Tensor& b);
[[nodiscard]] Tensor softmax(const Tensor& x, Dim axis);
// Indices start to stop - 1 of one axis.
[[nodiscard]] Tensor slice_axis(const Tensor& x, int axis, Dim start, Dim stop);

}  // namespace maskflow::ops
