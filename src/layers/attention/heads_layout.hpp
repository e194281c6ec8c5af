// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "tensor/tensor.hpp"

namespace maskflow {

// Where the axes of the arguments go: [batch, others ..., attended ..., features], which is then
// seen as [sequences, steps, features].
struct HeadsLayout {
  std::vector<int> order;
  int others = 0;  // axes that are neither batch nor attended nor features

  // `axes`: those that are attended over. ConfigError unless they are different ones behind the
  // batch and before the features.
  HeadsLayout(std::vector<int> axes, int rank);
  [[nodiscard]] int attended() const { return static_cast<int>(order.size()) - 2 - others; }

  [[nodiscard]] Shape arranged(const Shape& shape) const;
  // As [sequences, steps, features].
  [[nodiscard]] Tensor flat(Tensor x) const;
  // The axes of rows of steps, with `last` for the features, where those of `query` are.
  [[nodiscard]] Tensor restored(const Tensor& rows, const Shape& query,
                                const std::vector<int>& last) const;
  // A mask of the scores as [sequences, heads, steps of the query, steps of the key].
  [[nodiscard]] Tensor flat_mask(const Tensor& mask, Shape scores) const;
  [[nodiscard]] Shape scores(const Shape& query, const Shape& key, int heads) const;
};

}  // namespace maskflow
