// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "ops/node.hpp"

namespace maskflow {

// Returns the symbols among the arguments of a call in Keras's order: the first argument (a
// dictionary by its keys), then the others by name, with the mask as the argument `mask`.
[[nodiscard]] Tensors symbols_of(const Args& args);

struct GraphOrder {
  std::vector<std::shared_ptr<const Node>> nodes;  // The nodes in running order.
  // The operations in the order of `model.layers`.
  std::vector<std::shared_ptr<Operation>> operations;
};

// Keras's order of the nodes and operations between inputs and outputs.
// - The deepest node runs first. The depth of a node is the length of its longest path to an
// output,
//   and at least the depth of every node of its operation that was visited before.
// - Nodes are visited from the outputs backwards: a node after all nodes that use it, its sources
//   argument by argument. Among nodes of one depth, the first visited runs first.
// - Operations of one depth are in the order in which the search from the outputs reaches them.
// The order depends only on the graph, not on the order in which it or a configuration was written.
[[nodiscard]] GraphOrder order_of_graph(const Tensors& inputs, const Tensors& outputs);

}  // namespace maskflow
