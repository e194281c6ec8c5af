// SPDX-License-Identifier: MIT
#include "model/graph_order.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace maskflow {
namespace {

using NodePtr = std::shared_ptr<const Node>;

// Inserts `item` after all items of `list` of the same or a greater depth.
template <class T>
void insert_by_depth(std::vector<T>& list, std::vector<int>& depths, T item, int depth) {
  std::size_t position = depths.size();
  while (position > 0 && depths[position - 1] < depth) --position;
  depths.insert(depths.begin() + static_cast<std::ptrdiff_t>(position), depth);
  list.insert(list.begin() + static_cast<std::ptrdiff_t>(position), std::move(item));
}

class Search {
 public:
  explicit Search(const Tensors& inputs) {
    for (const Tensor& input : inputs) inputs_.push_back(input.origin()->node().get());
  }

  // Searches depth first, without recursion, because graphs can be thousands of nodes deep.
  void search_from(const Tensor& output) {
    enter(output);
    while (!open_.empty()) {
      Open& top = open_.back();
      if (top.next < top.sources.size()) {
        const Tensor source = top.sources[top.next++];
        enter(source);
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
    for (NodePtr& node : visited_) {
      const int depth = find_seen(*node).depth;
      insert_by_depth(result.nodes, depths, std::move(node), depth);
    }
    // Unused inputs run last and come first among the operations of their depth.
    auto first = operations_.begin();
    for (const Tensor& input : inputs) {
      const NodePtr& node = input.origin()->node();
      if (std::ranges::find(result.nodes, node) != result.nodes.end()) continue;
      result.nodes.push_back(node);
      first = operations_.insert(first, {node->operation}) + 1;
    }
    depths.clear();
    for (OperationDepth& operation : operations_) {
      insert_by_depth(result.operations, depths, std::move(operation.operation), operation.depth);
    }
    return result;
  }

 private:
  struct Open {
    NodePtr node;
    Tensors sources;
    std::size_t next = 0;
  };
  struct OperationDepth {
    std::shared_ptr<Operation> operation;
    int depth = 0;
  };
  struct Seen {
    const Node* node;
    int depth = 0;
    bool visited = false;
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
    Tensors sources;
    if (!is_input(node.get())) {
      sources = symbols_of(node->args);
      if (sources.empty()) {
        config_error("the outputs depend on the input '", node->operation->name(),
                     "', which is not an input of the model; add it there");
      }
    }
    open_.push_back({node, std::move(sources)});
  }

  void find_depths() {
    for (auto node = finished_.rbegin(); node != finished_.rend(); ++node) {
      Seen& here = visit(*node);
      // The depth that later calls of the same operation have, too.
      int& depth = find_operation(**node)->depth;
      depth = here.depth = std::max(here.depth, depth);
      if (is_input(node->get())) continue;
      for (const Tensor& source : symbols_of((*node)->args)) {
        Seen& below = visit(source.origin()->node());
        below.depth = std::max(below.depth, here.depth + 1);
      }
    }
  }

  Seen& find_seen(const Node& node) {
    return *std::ranges::lower_bound(seen_, node.id, {},
                                     [](const Seen& seen) { return seen.node->id; });
  }
  std::vector<OperationDepth>::iterator find_operation(const Node& node) {
    return std::ranges::find(operations_, node.operation, &OperationDepth::operation);
  }
  Seen& visit(const NodePtr& node) {
    Seen& seen = find_seen(*node);
    if (!seen.visited) visited_.push_back(node);
    seen.visited = true;
    return seen;
  }

  std::vector<const Node*> inputs_;
  std::vector<Open> open_;
  std::vector<NodePtr> finished_;  // The finished nodes, each after its sources.
  std::vector<NodePtr> visited_;
  std::vector<Seen> seen_;  // The visited nodes, sorted by id.
  std::vector<OperationDepth> operations_;
};

}  // namespace

Tensors symbols_of(const Args& args) {
  Tensors result;
  const auto add = [&](const Tensor& tensor) {
    if (tensor.is_symbolic()) result.push_back(tensor);
  };
  std::ranges::for_each(args.inputs, add);
  const auto add_named = [&](bool before) {
    for (const TensorArgument& argument : args.tensors) {
      if ((argument.name < "mask") != before) continue;
      std::ranges::for_each(argument.values, add);
    }
  };
  add_named(true);
  if (args.mask) {
    for (const MaskPtr& mask : *args.mask) {
      if (mask) add(mask->original());
    }
  }
  add_named(false);
  return result;
}

GraphOrder order_of_graph(const Tensors& inputs, const Tensors& outputs) {
  Search search(inputs);
  for (const Tensor& output : outputs) search.search_from(output);
  return search.order(inputs);
}

}  // namespace maskflow
