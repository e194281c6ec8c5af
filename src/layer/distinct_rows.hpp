// SPDX-License-Identifier: MIT
// A layer that treats each row separately computes equal rows once. Many rows of an input are equal
// behind attention, which returns the same row for all padding of a sequence.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tensor/tensor.hpp"

namespace maskflow {

struct DistinctRows {
  // The distinct rows of each input, with the rank of the input: [1, ..., rows, width].
  Tensors inputs;
  std::vector<std::int32_t> rows;  // Index of the distinct row at each position.
  Shape shape;                     // Shape of the first input.
  // Expands a result for the distinct rows to all positions.
  [[nodiscard]] Tensor spread(const Tensor& result) const;
};

// Returns nothing if no input is a lookup of fewer rows, or if the rows of another input differ at
// positions where those are equal. Rows are compared bit by bit.
[[nodiscard]] std::optional<DistinctRows> distinct_rows(const Tensors& inputs);

}  // namespace maskflow
