// SPDX-License-Identifier: MIT
// The weights of a layer and of its inner layers.
#include <algorithm>
#include <span>
#include <utility>

#include "base/depth.hpp"
#include "layer/layer.hpp"

namespace maskflow {
namespace {

// Adds an item to a sorted list. Returns false if the list has it already.
template <class T>
bool add_new(std::vector<const T*>& sorted, const T* item) {
  const auto place = std::ranges::lower_bound(sorted, item);
  if (place != sorted.end() && *place == item) return false;
  sorted.insert(place, item);
  return true;
}

}  // namespace

VariablePtr Layer::add_weight(std::string name, const Shape& shape, const Initializer& initializer,
                              bool trainable, DType dtype) {
  if (!shape.known()) {
    shape_error("weight '", name, "' would have shape ", shape,
                "; the last dimension of the input must be known");
  }
  // Memory is allocated when the weight is first read; a size that cannot fit is refused here.
  static_cast<void>(elements_that_fit(dtype, shape));
  weights_.push_back(
      std::make_shared<Variable>(std::move(name), shape, initializer, trainable, dtype));
  if (!trainable_) weights_.back()->set_trainable(false);
  return weights_.back();
}

std::vector<Layer::Weight> Layer::weights() const {
  WeightList list;
  list_weights(list);
  return std::move(list.weights);
}

void Layer::list_weights(WeightList& list) const {
  const Depth depth(Depth::kLayer);
  // Layers that are used in several places would be visited once for each path that leads there.
  if (!add_new(list.layers, this)) return;
  for (const bool parameters : {true, false}) {
    for (const VariablePtr& variable : weights_) {
      if (variable->is_parameter() != parameters) continue;
      if (!add_new(list.variables, variable.get())) continue;
      list.weights.push_back({text(name_, "/", variable->name()), variable, variable->trainable()});
    }
  }
  const std::size_t first_inside = list.weights.size();
  for (const LayerPtr& layer : sublayers()) {
    layer->ensure_name();
    layer->list_weights(list);
  }
  for (Weight& weight : std::span(list.weights).subspan(first_inside)) {
    weight.path = name_ + "/" + weight.path;
    weight.trainable = weight.trainable && !freezes_when_built_;
  }
}

void Layer::free_weights() {
  for (const VariablePtr& variable : weights_) variable->free_value();
}

void Layer::set_weights(const Tensors& values) {
  const std::vector<Weight> all = weights();
  if (values.size() != all.size()) {
    std::string expected;
    for (const Weight& weight : all) {
      expected += text(expected.empty() ? "" : ", ", weight.path, " ", weight.variable->shape());
    }
    value_error(class_name_, " '", name_, "' has ", all.size(), " weights but was given ",
                values.size(), all.empty() && !built_ ? "; build it first" : "; it expects ",
                expected);
  }
  // All shapes are checked first, so that an error changes no weight.
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].shape() != all[i].variable->shape()) {
      shape_error("weight '", all[i].path, "' has shape ", all[i].variable->shape(),
                  " but was given ", values[i].shape());
    }
  }
  for (std::size_t i = 0; i < values.size(); ++i) all[i].variable->set_value(values[i]);
}

}  // namespace maskflow
