// SPDX-License-Identifier: MIT
#include "model/graph_order.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/error.hpp"
#include "base/function_ref.hpp"
#include "base/merge_sort.hpp"

namespace maskflow {
namespace {

using NodePtr = std::shared_ptr<const Node>;

// The first of `count` places for which `is_before` is false; it is true for all places before.
std::size_t place_in(std::size_t count, FunctionRef<bool(std::size_t)> is_before) {
  std::size_t first = 0;
  while (count > 0) {
    const std::size_t half = count / 2;
    const bool is_later = is_before(first + half);
    first += is_later ? half + 1 : 0;
    count = is_later ? count - half - 1 : half;
  }
  return first;
}

// Positions of the items with these depths, those of one depth in their order.
std::vector<std::int32_t> deepest_first(const std::vector<int>& depths) {
  return sorted_positions(depths.size(), [&](std::int32_t a, std::int32_t b) {
    return depths[static_cast<std::size_t>(a)] > depths[static_cast<std::size_t>(b)];
  });
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
    for (const NodePtr& node : visited_) depths.push_back(seen_[place_of(*node)].depth);
    for (const std::int32_t at : deepest_first(depths)) {
      result.nodes.push_back(std::move(visited_[static_cast<std::size_t>(at)]));
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
    for (const OperationDepth& operation : operations_) depths.push_back(operation.depth);
    for (const std::int32_t at : deepest_first(depths)) {
      result.operations.push_back(std::move(operations_[static_cast<std::size_t>(at)].operation));
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
    const std::size_t place = place_of(*node);
    if (place < seen_.size() && seen_[place].node == node.get()) return;
    seen_.insert(seen_.begin() + static_cast<std::ptrdiff_t>(place), {node.get()});
    add_operation(node->operation);
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
      int& depth = operations_[by_address_[place_of(*(*node)->operation)]].depth;
      depth = here.depth = std::max(here.depth, depth);
      if (is_input(node->get())) continue;
      for (const Tensor& source : symbols_of((*node)->args)) {
        Seen& below = visit(source.origin()->node());
        below.depth = std::max(below.depth, here.depth + 1);
      }
    }
  }

  // The place of a node in seen_, or where it belongs.
  [[nodiscard]] std::size_t place_of(const Node& node) const {
    return place_in(seen_.size(), [&](std::size_t at) { return seen_[at].node->id > node.id; });
  }
  [[nodiscard]] std::size_t place_of(const Operation& operation) const {
    return place_in(by_address_.size(), [&](std::size_t at) {
      return std::greater<>()(operations_[by_address_[at]].operation.get(), &operation);
    });
  }
  void add_operation(const std::shared_ptr<Operation>& operation) {
    const std::size_t place = place_of(*operation);
    if (place < by_address_.size() && operations_[by_address_[place]].operation == operation)
      return;
    by_address_.insert(by_address_.begin() + static_cast<std::ptrdiff_t>(place),
                       operations_.size());
    operations_.push_back({operation});
  }
  Seen& visit(const NodePtr& node) {
    Seen& seen = seen_[place_of(*node)];
    if (!seen.visited) visited_.push_back(node);
    seen.visited = true;
    return seen;
  }

  std::vector<const Node*> inputs_;
  std::vector<Open> open_;
  std::vector<NodePtr> finished_;  // The finished nodes, each after its sources.
  std::vector<NodePtr> visited_;
  // The visited nodes, the newest first: a search from the outputs mostly appends.
  std::vector<Seen> seen_;
  std::vector<OperationDepth> operations_;
  std::vector<std::size_t> by_address_;  // Places in operations_, by falling addresses.
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
