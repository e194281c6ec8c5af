// SPDX-License-Identifier: MIT
#include "model/graph.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "ops/context.hpp"

namespace maskflow {
namespace {

// Tells what runs, while it lives, whether only masks are made of it.
class ForMask {
 public:
  explicit ForMask(bool now) : before_(std::exchange(Context::current().for_mask, now)) {}
  ~ForMask() { Context::current().for_mask = before_; }
  ForMask(const ForMask&) = delete;
  ForMask& operator=(const ForMask&) = delete;

 private:
  bool before_;
};

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
  find_mask_nodes();
}

// Depth: outputs 0, whatever feeds a node at least one more. Worked out from the outputs, newest
// node first, since a node is always newer than what it takes.
void Graph::collect() {
  struct Found {
    std::shared_ptr<const Node> node;
    int depth;
  };
  std::vector<Found> found;  // newest first
  const auto reach = [&](const Tensor& symbol, int at_least) {
    const auto& node = symbol.origin()->node();
    auto at = std::ranges::find_if(found, [&](const Found& f) { return f.node->id <= node->id; });
    if (at == found.end() || at->node != node) at = found.insert(at, {node, at_least});
    at->depth = std::max(at->depth, at_least);
  };
  for (const Tensor& output : outputs_) reach(output, 0);
  for (const Tensor& input : inputs_) reach(input, 0);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::shared_ptr<const Node> node = found[i].node;
    // All nodes of one layer lie as deep as its deepest, as in Keras.
    for (std::size_t k = 0; k < i; ++k) {
      if (found[k].node->operation != node->operation) continue;
      found[i].depth = std::max(found[i].depth, found[k].depth);
    }
    if (is_input(*node)) continue;
    if (node->args.inputs.empty() && node->args.tensors.empty()) {
      config_error("the outputs depend on the input '", node->operation->name(),
                   "', which is not among the inputs of the model; add it there");
    }
    const int below = found[i].depth + 1;
    for_each_symbol(node->args, [&](const Tensor& symbol) { reach(symbol, below); });
  }
  std::vector<int> depths;  // of nodes_
  for (auto next = found.rbegin(); next != found.rend(); ++next) {
    // Deepest first, and among equals the oldest.
    std::size_t at = depths.size();
    while (at > 0 && depths[at - 1] < next->depth) --at;
    depths.insert(depths.begin() + static_cast<std::ptrdiff_t>(at), next->depth);
    nodes_.insert(nodes_.begin() + static_cast<std::ptrdiff_t>(at), next->node);
  }
}

bool Graph::is_input(const Node& node) const {
  return std::ranges::any_of(inputs_, [&](const Tensor& t) { return &node_of(t) == &node; });
}

void Graph::find_last_uses() {
  std::vector<std::size_t> last(nodes_.size(), nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (is_input(*nodes_[i])) continue;
    for_each_symbol(nodes_[i]->args, [&](const Tensor& s) { last[place_of(s).node] = i; });
  }
  for (const Tensor& output : outputs_) last[place_of(output).node] = nodes_.size();
  dead_after_.resize(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (last[i] < nodes_.size()) dead_after_[last[i]].push_back(i);
  }
}

// From the last node to the first: all that a node is used for is known when it is reached.
void Graph::find_mask_nodes() {
  std::vector<bool> as_data(nodes_.size(), false);
  std::vector<bool> as_mask(nodes_.size(), false);
  for (const Tensor& output : outputs_) as_data[place_of(output).node] = true;
  for_mask_.assign(nodes_.size(), false);
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    if (is_input(*nodes_[i])) continue;
    for_mask_[i] = as_mask[i] && !as_data[i] && !nodes_[i]->operation->is_layer();
    Args data = nodes_[i]->args;
    Args masks;
    masks.mask = std::exchange(data.mask, std::nullopt);
    const auto mark = [&](const Args& args, std::vector<bool>& used) {
      for_each_symbol(args, [&](const Tensor& symbol) { used[place_of(symbol).node] = true; });
    };
    mark(masks, as_mask);
    mark(data, for_mask_[i] ? as_mask : as_data);
  }
}

Graph::Place Graph::place_of(const Tensor& symbol) const {
  return {index_of(node_of(symbol)), static_cast<std::size_t>(symbol.origin()->index())};
}

std::size_t Graph::index_of(const Node& node) const {
  std::size_t index = 0;
  while (index < nodes_.size() && nodes_[index].get() != &node) ++index;
  return index;
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

Tensors Graph::run(const Tensors& inputs, const Observer* observer) const {
  std::vector<Tensors> values(nodes_.size());
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const Place place = place_of(inputs_[i]);
    Tensors& slot = values[place.node];
    slot.resize(std::max(slot.size(), place.index + 1));
    slot[place.index] = inputs[i];
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (values[i].empty()) {
      const ForMask scope(for_mask_[i]);
      values[i] = nodes_[i]->operation->run(substitute(nodes_[i]->args, values));
      if (observer != nullptr) (*observer)(*nodes_[i], values[i]);
    }
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
