// SPDX-License-Identifier: MIT
// Where many rows of what a layer gets are the same (those of padding, behind attention), a layer
// that treats each row by itself computes each of them once.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tensor/tensor.hpp"

namespace maskflow {

struct DistinctRows {
  Tensors inputs;  // of the same rank, with the distinct rows alone: [1, ..., rows, width]
  std::vector<std::int32_t> rows;  // which of them stands at each place
  Shape shape;                     // of the first input
  // A result for the distinct rows as one for all places.
  [[nodiscard]] Tensor spread(const Tensor& result) const;
};

// Nothing when no input is a lookup of fewer rows, or when another has rows that differ where those
// are the same; compared bit by bit.
[[nodiscard]] std::optional<DistinctRows> distinct_rows(const Tensors& inputs);

}  // namespace maskflow
