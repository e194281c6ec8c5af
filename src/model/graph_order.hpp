// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "ops/node.hpp"

namespace maskflow {

// The symbols that a call takes, masks included, in Keras's order: the first argument (a dictionary
// by its keys), then the others, a mask among them where its name stands in the alphabet.
[[nodiscard]] Tensors symbols_of(const Args& args);

struct GraphOrder {
  std::vector<std::shared_ptr<const Node>> nodes;      // in the order in which they run
  std::vector<std::shared_ptr<Operation>> operations;  // in the order of a model's layers
};

// Keras's order of what lies between inputs and outputs. Nodes run deepest first; depth is the
// longest way to an output, and no node of an operation lies higher than those of it that were met
// before. Nodes are met on the way back from the outputs, each after all that take from it and then
// its sources argument by argument; among nodes of one depth the one met first runs first.
// Operations of one depth stand as the search from the outputs comes to them. All of it depends on
// the graph alone: neither on the order in which it was made nor on that of a configuration.
[[nodiscard]] GraphOrder order_of_graph(const Tensors& inputs, const Tensors& outputs);

}  // namespace maskflow
