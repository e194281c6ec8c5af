// SPDX-License-Identifier: MIT
#include "model/graph.hpp"

#include <utility>

#include "base/error.hpp"

namespace maskflow {
Graph::Graph(Tensors inputs, Tensors outputs)
    : inputs_(std::move(inputs)), outputs_(std::move(outputs)) {
  for (const Tensors* tensors : {&inputs_, &outputs_}) {
    if (tensors->empty()) config_error("a model needs at least one input and one output");
    for (const Tensor& tensor : *tensors) {
      if (!tensor.is_symbolic()) {
        config_error("inputs and outputs of a model must be symbolic: start from Input({ shape })");
      }
    }
  }
  GraphOrder order = order_of_graph(inputs_, outputs_);
  nodes_ = std::move(order.nodes);
  operations_ = std::move(order.operations);
}

}  // namespace maskflow
