// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "model/graph_order.hpp"

namespace maskflow {

// The nodes between inputs and outputs, in the order in which Keras runs them. The order matters,
// because MultiHeadAttention removes the masks of its inputs.
class Graph {
 public:
  Graph(Tensors inputs, Tensors outputs);

  [[nodiscard]] const Tensors& inputs() const { return inputs_; }
  [[nodiscard]] const Tensors& outputs() const { return outputs_; }
  [[nodiscard]] const std::vector<std::shared_ptr<const Node>>& nodes() const { return nodes_; }
  // Layers, models and ops, each once, in the order of Keras's `model.layers` and of the weights.
  [[nodiscard]] const std::vector<std::shared_ptr<Operation>>& operations() const {
    return operations_;
  }

 private:
  Tensors inputs_;
  Tensors outputs_;
  std::vector<std::shared_ptr<const Node>> nodes_;
  std::vector<std::shared_ptr<Operation>> operations_;
};

}  // namespace maskflow
