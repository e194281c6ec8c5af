// SPDX-License-Identifier: MIT
#include "model/graph.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "layer/layer.hpp"

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
  GraphOrder order = order_of_graph(inputs_, outputs_);
  nodes_ = std::move(order.nodes);
  operations_ = std::move(order.operations);
  find_last_uses();
  find_mask_nodes();
  find_nested_models();
}

bool Graph::is_input(const Node& node) const {
  return std::ranges::any_of(inputs_, [&](const Tensor& t) { return &node_of(t) == &node; });
}

void Graph::find_last_uses() {
  std::vector<std::size_t> last(nodes_.size(), nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (is_input(*nodes_[i])) continue;
    for (const Tensor& s : symbols_of(nodes_[i]->args)) last[place_of(s).node] = i;
  }
  for (const Tensor& output : outputs_) last[place_of(output).node] = nodes_.size();
  dead_after_.resize(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (last[i] < nodes_.size()) dead_after_[last[i]].push_back(i);
  }
}

void Graph::find_nested_models() {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    Operation& operation = *nodes_[i]->operation;
    if (!operation.is_layer() || static_cast<Layer&>(operation).as_model() == nullptr) continue;
    nested_.resize(nodes_.size());
    nested_[i] = true;
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
      for (const Tensor& symbol : symbols_of(args)) used[place_of(symbol).node] = true;
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

// As in Keras, a model that is called with masks puts them onto its inputs, and whoever takes these
// later finds them there.
Args Graph::arguments(std::size_t node, const std::vector<Tensors>& values) const {
  Args args = substitute(nodes_[node]->args, values);
  if (nested_.empty() || !nested_[node] || !args.mask) return args;
  for (std::size_t i = 0; i < args.inputs.size() && i < args.mask->size(); ++i) {
    if ((*args.mask)[i]) args.inputs[i].set_mask((*args.mask)[i]);
  }
  return args;
}

Tensors Graph::run(const Tensors& inputs, const Observer* observer) const {
  std::vector<Tensors> values(nodes_.size());
  const auto await_masks = [&](Tensors& made) {
    if (nested_.empty()) return;
    for (Tensor& tensor : made) tensor.await_mask();
  };
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const Place place = place_of(inputs_[i]);
    Tensors& slot = values[place.node];
    slot.resize(std::max(slot.size(), place.index + 1));
    slot[place.index] = inputs[i];
    await_masks(slot);
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (values[i].empty()) {
      const ForMask scope(for_mask_[i]);
      values[i] = nodes_[i]->operation->run(arguments(i, values));
      await_masks(values[i]);
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
