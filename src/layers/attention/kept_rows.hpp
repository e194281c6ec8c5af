// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "tensor/tensor.hpp"

namespace maskflow {

// Rows of [batch * time] that are computed: sequence by sequence, from first[b] to first[b + 1].
struct KeptRows {
  std::vector<std::int32_t> index;
  std::vector<std::size_t> first{0};
  // All of them.
  [[nodiscard]] static KeptRows all(Dim batch, Dim time);
  // Those of the next sequence, one byte for each: 0 is left out.
  void add(const std::vector<std::uint8_t>& kept);
  [[nodiscard]] std::size_t count(std::size_t b) const { return first[b + 1] - first[b]; }
  [[nodiscard]] std::size_t size() const { return index.size(); }
  // Rows that were computed at their places in `shape` (the last axis is the row), zeros elsewhere.
  [[nodiscard]] Tensor spread(const Tensor& rows, const Shape& shape) const;
};

}  // namespace maskflow
