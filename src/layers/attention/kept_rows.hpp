// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "tensor/tensor.hpp"

namespace maskflow {

// The rows of [batch * time] that are computed, sequence by sequence.
struct KeptRows {
  std::vector<std::int32_t> index;  // Rows of [batch * time], ascending.
  // The rows of sequence b are index[first[b]] to index[first[b + 1]], exclusive.
  std::vector<std::size_t> first{0};

  [[nodiscard]] static KeptRows all(Dim batch, Dim time);
  // Adds the rows of the next sequence: a byte for each, 0 leaves the row out.
  void add(const std::vector<std::uint8_t>& kept);
  [[nodiscard]] std::size_t count(std::size_t b) const { return first[b + 1] - first[b]; }
  [[nodiscard]] std::size_t size() const { return index.size(); }
  // Puts `rows`, one for each kept row, into zeros of `shape`, whose last axis is the row.
  [[nodiscard]] Tensor spread(const Tensor& rows, const Shape& shape) const;
};

// Returns the rows of x at `index`, [rows, width]. A row is the last axis; rows are numbered across
// all other axes.
[[nodiscard]] Tensor gather_rows(const Tensor& x, const std::vector<std::int32_t>& index);

}  // namespace maskflow
