// SPDX-License-Identifier: MIT
#include "model/graph_order.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace maskflow {
namespace {

using NodePtr = std::shared_ptr<const Node>;

// Puts `item` behind all items of `list` that lie as deep as it or deeper.
template <class T>
void place_by_depth(std::vector<T>& list, std::vector<int>& depths, T item, int depth) {
  std::size_t at = depths.size();
  while (at > 0 && depths[at - 1] < depth) --at;
  depths.insert(depths.begin() + static_cast<std::ptrdiff_t>(at), depth);
  list.insert(list.begin() + static_cast<std::ptrdiff_t>(at), std::move(item));
}

class Search {
 public:
  explicit Search(const Tensors& inputs) {
    for (const Tensor& input : inputs) inputs_.push_back(input.origin()->node().get());
  }

  // Depth first, without recursion: graphs can be thousands of nodes deep.
  void from(const Tensor& output) {
    enter(output);
    while (!open_.empty()) {
      Open& top = open_.back();
      if (top.next < top.needs.size()) {
        const Tensor needed = top.needs[top.next++];
        enter(needed);
      } else {
        finished_.push_back(std::move(top.node));
        open_.pop_back();
      }
    }
  }

  [[nodiscard]] GraphOrder order(const Tensors& inputs) {
    find_depths();
    GraphOrder result;
    std::vector<int> depths;
    for (NodePtr& node : met_) {
      const int depth = found(*node).depth;
      place_by_depth(result.nodes, depths, std::move(node), depth);
    }
    // Inputs that lead nowhere: the last to run, the first of their depth among the operations.
    auto first = operations_.begin();
    for (const Tensor& input : inputs) {
      const NodePtr& node = input.origin()->node();
      if (std::ranges::find(result.nodes, node) != result.nodes.end()) continue;
      result.nodes.push_back(node);
      first = operations_.insert(first, {node->operation}) + 1;
    }
    depths.clear();
    for (Found& operation : operations_) {
      place_by_depth(result.operations, depths, std::move(operation.operation), operation.depth);
    }
    return result;
  }

 private:
  struct Open {
    NodePtr node;
    Tensors needs;
    std::size_t next = 0;
  };
  struct Found {
    std::shared_ptr<Operation> operation;
    int depth = 0;
  };
  struct Seen {
    const Node* node;
    int depth = 0;
    bool met = false;
  };

  [[nodiscard]] bool is_input(const Node* node) const {
    return std::ranges::find(inputs_, node) != inputs_.end();
  }

  void enter(const Tensor& symbol) {
    const NodePtr& node = symbol.origin()->node();
    const auto at = std::ranges::lower_bound(seen_, node->id, {},
                                             [](const Seen& seen) { return seen.node->id; });
    if (at != seen_.end() && at->node == node.get()) return;
    seen_.insert(at, {node.get()});
    if (find_operation(*node) == operations_.end()) operations_.push_back({node->operation});
    Tensors needs;
    if (!is_input(node.get())) {
      needs = symbols_of(node->args);
      if (needs.empty()) {
        config_error("the outputs depend on the input '", node->operation->name(),
                     "', which is not among the inputs of the model; add it there");
      }
    }
    open_.push_back({node, std::move(needs)});
  }

  void find_depths() {
    for (auto node = finished_.rbegin(); node != finished_.rend(); ++node) {
      Seen& here = meet(*node);
      // What calls of this operation further on have found.
      int& depth = find_operation(**node)->depth;
      depth = here.depth = std::max(here.depth, depth);
      if (is_input(node->get())) continue;
      for (const Tensor& needed : symbols_of((*node)->args)) {
        Seen& below = meet(needed.origin()->node());
        below.depth = std::max(below.depth, here.depth + 1);
      }
    }
  }

  Seen& found(const Node& node) {
    return *std::ranges::lower_bound(seen_, node.id, {},
                                     [](const Seen& seen) { return seen.node->id; });
  }
  std::vector<Found>::iterator find_operation(const Node& node) {
    return std::ranges::find(operations_, node.operation, &Found::operation);
  }
  Seen& meet(const NodePtr& node) {
    Seen& seen = found(*node);
    if (!seen.met) met_.push_back(node);
    seen.met = true;
    return seen;
  }

  std::vector<const Node*> inputs_;
  std::vector<Open> open_;
  std::vector<NodePtr> finished_;  // each behind those that it needs
  std::vector<NodePtr> met_;
  std::vector<Seen> seen_;  // by id
  std::vector<Found> operations_;
};

}  // namespace

Tensors symbols_of(const Args& args) {
  Tensors result;
  const auto take = [&](const Tensor& tensor) {
    if (tensor.is_symbolic()) result.push_back(tensor);
  };
  std::ranges::for_each(args.inputs, take);
  const auto take_named = [&](bool before) {
    for (const TensorArgument& argument : args.tensors) {
      if ((argument.name < "mask") != before) continue;
      std::ranges::for_each(argument.values, take);
    }
  };
  take_named(true);
  if (args.mask) {
    for (const MaskPtr& mask : *args.mask) {
      if (mask) take(mask->values());
    }
  }
  take_named(false);
  return result;
}

GraphOrder order_of_graph(const Tensors& inputs, const Tensors& outputs) {
  Search search(inputs);
  for (const Tensor& output : outputs) search.from(output);
  return search.order(inputs);
}

}  // namespace maskflow
