// SPDX-License-Identifier: MIT
// The weights of a layer and of its inner layers.
#include <algorithm>
#include <utility>

#include "base/depth.hpp"
#include "layer/layer.hpp"

namespace maskflow {
namespace {

// Adds a variable to a sorted list. Returns false if the list has it already.
bool add_new(std::vector<const Variable*>& sorted, const Variable* variable) {
  const auto place = std::ranges::lower_bound(sorted, variable);
  if (place != sorted.end() && *place == variable) return false;
  sorted.insert(place, variable);
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
  const Depth depth(Depth::kLayer);
  std::vector<Weight> result;
  std::vector<const Variable*> listed;
  for (const bool parameters : {true, false}) {
    for (const VariablePtr& variable : weights_) {
      if (variable->is_parameter() != parameters) continue;
      add_new(listed, variable.get());
      result.push_back({text(name_, "/", variable->name()), variable, variable->trainable()});
    }
  }
  for (const LayerPtr& layer : sublayers()) {
    layer->ensure_name();
    for (Weight& weight : layer->weights()) {
      // A layer that is used in several places counts once.
      if (!add_new(listed, weight.variable.get())) continue;
      weight.path = name_ + "/" + weight.path;
      weight.trainable = weight.trainable && !freezes_when_built_;
      result.push_back(std::move(weight));
    }
  }
  return result;
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
