// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "base/function_ref.hpp"
#include "tensor/tensor.hpp"

namespace maskflow {

// The order of numbers, in which NaN is larger than every number, as in NumPy and PyTorch.
template <class T>
bool is_less(T a, T b) {
  return a < b || (b != b && a == a);
}

// Sorts indices by merging runs of doubling length, so that equal elements keep their order. It is
// one function for all callers, because each std::stable_sort would take 5 kB of the wasm, and each
// std::sort 1.5.
void merge_sort(std::vector<std::int32_t>& order,
                FunctionRef<bool(std::int32_t, std::int32_t)> is_before);
// Returns the indices that sort x along an axis; equal elements keep their order.
[[nodiscard]] Tensor sorting_order(const Tensor& operand, int axis, bool descending);
// Returns the elements of x at these indices along an axis.
[[nodiscard]] Tensor take_along(const Tensor& x, const Tensor& indices, Dim axis);

}  // namespace maskflow
