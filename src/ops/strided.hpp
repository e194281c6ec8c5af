// SPDX-License-Identifier: MIT
// Copies of strided views, by which tensors are transposed, sliced, flipped and broadcast.
#pragma once

#include <array>
#include <span>

#include "tensor/tensor.hpp"

namespace maskflow {

using Strides = std::array<Dim, kMaxRank>;

// Returns the distances, in elements, between neighbours along each axis of a contiguous tensor.
[[nodiscard]] Strides strides_of(const Shape& shape);
// Returns strides for reading a tensor of this shape as if broadcast to `target`: 0 along repeated
// axes.
[[nodiscard]] Strides broadcast_strides(const Shape& shape, const Shape& target);
// Joins neighbouring axes of `shape` that every operand reads like one axis, and drops axes of size
// 1, so that rows are as long as possible. Changes the strides and returns the shape. No size may
// be 0.
[[nodiscard]] Shape join_axes(const Shape& shape, std::span<Strides> strides);
// Returns the joined axes of `shape`, to which the operands are broadcast, and the strides of each.
[[nodiscard]] Shape broadcast_axes(std::span<const Tensor> operands, const Shape& shape,
                                   std::span<Strides> strides);
// Copies a view: result[i0, i1, ...] = x[offset + i0 * strides[0] + i1 * strides[1] + ...].
[[nodiscard]] Tensor strided_copy(const Tensor& x, const Shape& shape, const Strides& strides,
                                  Dim offset);

// Calls f for every row (last axis) of `shape`, with the offset of the row in each operand.
template <std::size_t N, class F>
void for_each_row(const Shape& shape, const std::array<Strides, N>& strides, F&& f) {
  std::array<Dim, N> offsets{};
  std::array<Dim, kMaxRank> index{};
  const int outer = shape.rank() - 1;
  Dim rows = outer <= 0 ? 1 : shape.size_between(0, outer);
  for (; rows > 0; --rows) {
    f(offsets);
    for (int axis = outer - 1; axis >= 0; --axis) {
      const auto a = at(axis);
      for (std::size_t n = 0; n < N; ++n) offsets[n] += strides[n][a];
      if (++index[a] < shape[axis]) break;
      for (std::size_t n = 0; n < N; ++n) offsets[n] -= strides[n][a] * index[a];
      index[a] = 0;
    }
  }
}

}  // namespace maskflow
