// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "ops/node.hpp"

namespace maskflow {

// The nodes between some inputs and outputs, in the order in which Keras runs them: by depth, then
// by creation. (The order can be seen: MultiHeadAttention strips masks from its inputs.)
class Graph {
 public:
  Graph(Tensors inputs, Tensors outputs);

  [[nodiscard]] const Tensors& inputs() const { return inputs_; }
  [[nodiscard]] const Tensors& outputs() const { return outputs_; }
  [[nodiscard]] const std::vector<std::shared_ptr<const Node>>& nodes() const { return nodes_; }
  // Layers and models, each once, in the order of their first node.
  [[nodiscard]] std::vector<std::shared_ptr<Operation>> operations() const;

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
  void collect();
  void find_last_uses();
  void find_mask_nodes();

  Tensors inputs_;
  Tensors outputs_;
  std::vector<std::shared_ptr<const Node>> nodes_;
  std::vector<std::vector<std::size_t>>
      dead_after_;              // node -> nodes whose values it is the last to use
  std::vector<bool> for_mask_;  // node -> is it an op whose result only masks are made of?
};

// Calls f(const Tensor&) on every symbolic tensor that a node takes, masks included.
template <class F>
void for_each_symbol(const Args& args, F&& f) {
  const auto visit = [&](const Tensor& tensor) {
    if (tensor.is_symbolic()) f(tensor);
  };
  for (const Tensor& tensor : args.inputs) visit(tensor);
  for (const TensorArgument& argument : args.tensors) {
    for (const Tensor& tensor : argument.values) visit(tensor);
  }
  if (!args.mask) return;
  for (const MaskPtr& mask : *args.mask) {
    if (mask) visit(mask->values());
  }
}

}  // namespace maskflow
