// SPDX-License-Identifier: MIT
#include "model/graph.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include "base/error.hpp"
#include "ops/context.hpp"

namespace maskflow {
namespace {

const Node& node_of(const Tensor& symbol) { return *symbol.origin()->node(); }

}  // namespace

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
  collect();
  find_last_uses();
}

// Depth: outputs 0, whatever feeds a node at least one more. Worked out from the outputs, newest
// node first, since a node is always newer than what it takes.
void Graph::collect() {
  std::map<std::int64_t, std::shared_ptr<const Node>, std::greater<>> pending;
  std::unordered_map<const Node*, int> depth;
  std::unordered_map<const Operation*, int> operation_depth;
  const auto is_input = [&](const Node& node) {
    return std::ranges::any_of(inputs_, [&](const Tensor& t) { return &node_of(t) == &node; });
  };
  const auto reach = [&](const Tensor& symbol, int at_least) {
    const auto& node = symbol.origin()->node();
    pending.emplace(node->id, node);
    depth[node.get()] = std::max(depth[node.get()], at_least);
  };
  for (const Tensor& output : outputs_) reach(output, 0);
  for (const Tensor& input : inputs_) reach(input, 0);
  while (!pending.empty()) {
    const std::shared_ptr<const Node> node = pending.begin()->second;
    pending.erase(pending.begin());
    // All nodes of one layer lie as deep as its deepest, as in Keras.
    int& shared = operation_depth[node->operation.get()];
    shared = std::max(shared, depth[node.get()]);
    depth[node.get()] = shared;
    nodes_.push_back(node);
    if (is_input(*node)) continue;
    if (node->args.inputs.empty() && node->args.tensors.empty()) {
      config_error("the outputs depend on the input '", node->operation->name(),
                   "', which is not among the inputs of the model; add it there");
    }
    for_each_symbol(node->args, [&](const Tensor& symbol) { reach(symbol, shared + 1); });
  }
  std::ranges::stable_sort(nodes_, [&](const auto& a, const auto& b) {
    const int depth_a = depth[a.get()];
    const int depth_b = depth[b.get()];
    return depth_a != depth_b ? depth_a > depth_b : a->id < b->id;
  });
  for (std::size_t i = 0; i < nodes_.size(); ++i) index_[nodes_[i].get()] = i;
}

void Graph::find_last_uses() {
  std::vector<std::size_t> last(nodes_.size(), nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (std::ranges::any_of(inputs_,
                            [&](const Tensor& t) { return &node_of(t) == nodes_[i].get(); })) {
      continue;
    }
    for_each_symbol(nodes_[i]->args, [&](const Tensor& s) { last[place_of(s).node] = i; });
  }
  for (const Tensor& output : outputs_) last[place_of(output).node] = nodes_.size();
  dead_after_.resize(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (last[i] < nodes_.size()) dead_after_[last[i]].push_back(i);
  }
}

Graph::Place Graph::place_of(const Tensor& symbol) const {
  return {index_.at(&node_of(symbol)), static_cast<std::size_t>(symbol.origin()->index())};
}

std::vector<std::shared_ptr<Operation>> Graph::operations() const {
  std::vector<std::shared_ptr<Operation>> result;
  for (const auto& node : nodes_) {
    if (std::ranges::find(result, node->operation) == result.end())
      result.push_back(node->operation);
  }
  return result;
}

Args Graph::substitute(const Args& args, const std::vector<Tensors>& values) const {
  Args result = args;
  const auto value_of = [&](const Tensor& symbol) -> const Tensor& {
    const Place place = place_of(symbol);
    return values[place.node][place.index];
  };
  result.for_each_tensor([&](Tensor& tensor) {
    if (tensor.is_symbolic()) tensor = value_of(tensor);
  });
  if (result.mask) {
    for (MaskPtr& mask : *result.mask) {
      if (!mask || !mask->values().is_symbolic()) continue;
      mask = make_mask(value_of(mask->values()));
    }
  }
  // What the model was told about training replaces what was recorded.
  if (Context::current().training) result.training.reset();
  return result;
}

Tensors Graph::run(const Tensors& inputs) const {
  std::vector<Tensors> values(nodes_.size());
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const Place place = place_of(inputs_[i]);
    Tensors& slot = values[place.node];
    slot.resize(std::max(slot.size(), place.index + 1));
    slot[place.index] = inputs[i];
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (values[i].empty())
      values[i] = nodes_[i]->operation->run(substitute(nodes_[i]->args, values));
    for (const std::size_t dead : dead_after_[i]) values[dead].clear();
  }
  Tensors result;
  for (const Tensor& output : outputs_) {
    const Place place = place_of(output);
    result.push_back(values[place.node][place.index]);
  }
  return result;
}

}  // namespace maskflow
