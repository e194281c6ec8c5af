// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "base/merge_sort.hpp"
#include "tensor/tensor.hpp"

namespace maskflow {

// The order of numbers, in which NaN is larger than every number, as in NumPy and PyTorch.
template <class T>
bool is_less(T a, T b) {
  return a < b || (b != b && a == a);
}

// Returns the indices that sort x along an axis; equal elements keep their order.
[[nodiscard]] Tensor sorting_order(const Tensor& operand, int axis, bool descending);
// Returns the elements of x at these indices along an axis.
[[nodiscard]] Tensor take_along(const Tensor& x, const Tensor& indices, Dim axis);

}  // namespace maskflow
