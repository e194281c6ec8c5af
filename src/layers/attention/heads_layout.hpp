// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "tensor/tensor.hpp"

namespace maskflow {

// The order of the axes of an attention call: [batch, others ..., attended ..., features]. In this
// order, a tensor is seen as [sequences, steps, features].
struct HeadsLayout {
  std::vector<int> order;  // Order of the axes of the arguments.
  int others = 0;          // Number of axes that are neither batch nor attended nor features.

  HeadsLayout() = default;
  // `axes`: the attended axes. Throws ConfigError unless they are different axes between the batch
  // and the features.
  HeadsLayout(std::vector<int> axes, int rank);
  // Returns the number of attended axes.
  [[nodiscard]] int attended() const { return static_cast<int>(order.size()) - 2 - others; }

  [[nodiscard]] Shape reorder(const Shape& shape) const;
  // Reshapes an argument to [sequences, steps, features].
  [[nodiscard]] Tensor flatten(Tensor x) const;
  // Reshapes rows [sequences * steps, ...] to the shape of `query`, with the axes `last` in place
  // of the features.
  [[nodiscard]] Tensor restore(const Tensor& rows, const Shape& query,
                               const std::vector<int>& last) const;
  // Reshapes a mask of the scores to [sequences, heads, query steps, key steps].
  [[nodiscard]] Tensor flatten_mask(const Tensor& mask, Shape scores) const;
  // Returns [batch, others ..., heads, attended axes of the query ..., attended axes of the key
  // ...].
  [[nodiscard]] Shape scores_shape(const Shape& query, const Shape& key, int heads) const;
};

}  // namespace maskflow
