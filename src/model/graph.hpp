// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "model/graph_order.hpp"

namespace maskflow {

// The nodes between some inputs and outputs, in the order in which Keras runs them. (It can be
// seen: MultiHeadAttention strips masks from its inputs.)
class Graph {
 public:
  Graph(Tensors inputs, Tensors outputs);

  [[nodiscard]] const Tensors& inputs() const { return inputs_; }
  [[nodiscard]] const Tensors& outputs() const { return outputs_; }
  [[nodiscard]] const std::vector<std::shared_ptr<const Node>>& nodes() const { return nodes_; }
  // Layers, models and ops, each once, in the order of Keras's `model.layers` and so of weights.
  [[nodiscard]] const std::vector<std::shared_ptr<Operation>>& operations() const {
    return operations_;
  }

  // Where in nodes(); their number for a node that is not part of this graph.
  [[nodiscard]] std::size_t index_of(const Node& node) const;

  // Where a symbolic tensor of this graph comes from.
  struct Place {
    std::size_t node = 0;
    std::size_t index = 0;
  };
  [[nodiscard]] Place place_of(const Tensor& symbol) const;
  // The arguments of a node with the values of nodes() in place of symbols.
  [[nodiscard]] Args substitute(const Args& args, const std::vector<Tensors>& values) const;

  // Told of each node that has run, with its results.
  using Observer = FunctionRef<void(const Node& node, const Tensors& results)>;
  // Computes the outputs; a value is dropped after its last use.
  [[nodiscard]] Tensors run(const Tensors& inputs, const Observer* observer = nullptr) const;

 private:
  [[nodiscard]] bool is_input(const Node& node) const;
  [[nodiscard]] Args arguments(std::size_t node, const std::vector<Tensors>& values) const;
  void find_last_uses();
  void find_nested_models();
  void find_mask_nodes();

  Tensors inputs_;
  Tensors outputs_;
  std::vector<std::shared_ptr<const Node>> nodes_;
  std::vector<std::shared_ptr<Operation>> operations_;
  std::vector<std::vector<std::size_t>>
      dead_after_;              // node -> nodes whose values it is the last to use
  std::vector<bool> nested_;    // node -> is it the call of a model?
  std::vector<bool> for_mask_;  // node -> is it an op whose result only masks are made of?
};

}  // namespace maskflow
