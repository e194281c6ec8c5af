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
  // Returns the shape of a result for the distinct rows, expanded to all positions.
  [[nodiscard]] Shape spread_shape(const Tensor& result) const;
  // Expands a result for the distinct rows to all positions.
  [[nodiscard]] Tensor spread(const Tensor& result) const;
};

// Returns nothing if no input is a lookup of fewer rows, or if the rows of another input differ at
// positions where those are equal. Rows are compared bit by bit.
[[nodiscard]] std::optional<DistinctRows> distinct_rows(const Tensors& inputs);

// Parts of distinct_rows(), for calls that are recorded (training/recorded_rows).

// Returns whether `count` distinct rows for this number of positions are few enough to save time.
[[nodiscard]] bool pays_to_reduce(std::size_t count, std::size_t positions);
// Returns whether two shapes differ in their last axis only.
[[nodiscard]] bool same_positions(const Shape& a, const Shape& b);
// Returns the shape of `rows` distinct rows of a tensor of shape `all`.
[[nodiscard]] Shape distinct_shape(const Shape& all, std::size_t rows);
// Returns the rows of x at the positions of `rows`, each once. Returns an empty handle if two rows
// with one index differ.
[[nodiscard]] Tensor gather_distinct(const Tensor& x, const std::vector<std::int32_t>& rows,
                                     std::size_t count);

}  // namespace maskflow
