// SPDX-License-Identifier: MIT
// Places in a tensor that ops write to, and their gradients read from.
#pragma once

#include <cstdint>
#include <vector>

#include "tensor/tensor.hpp"

namespace maskflow {

// Blocks of consecutive elements, by the position of the first one.
struct Blocks {
  static constexpr std::size_t kNowhere = SIZE_MAX;  // the block is left out
  std::vector<std::size_t> starts;
  std::size_t size;
};

// The blocks of a tensor of this shape whose first coordinates are the last axis of `indices`.
[[nodiscard]] Blocks blocks_at(const Tensor& indices, const Shape& shape);
// The rows of a tensor of this shape with these numbers; other numbers are left out.
[[nodiscard]] Blocks blocks_of_segments(const Tensor& ids, const Shape& shape);
// The rows of a block that begins at these indices.
[[nodiscard]] Blocks blocks_of_slice(const Tensor& start_indices, const Shape& block,
                                     const Shape& whole);

}  // namespace maskflow
