// SPDX-License-Identifier: MIT
#include "support/layers.hpp"

namespace maskflow::test {

LayerPtr make(std::string_view class_name, Entries config) {
  return make_layer(class_name, dict(config));
}

Value serialized(std::string_view class_name, Entries config) {
  return dict({{"class_name", class_name}, {"config", dict(config)}});
}

void randomize(Layer& layer, Rng& rng, const Shape& input) {
  layer.ensure_name();
  layer.build_once({input});
  Tensors values;
  for (const Layer::Weight& weight : layer.weights()) {
    values.push_back(random_floats(rng, weight.variable->shape(), 0.7F));
  }
  layer.set_weights(values);
}

Tensors call(Layer& layer, const Tensor& input, const MaskPtr& mask, const Tensors& states) {
  Args args;
  args.inputs = {input};
  if (mask) args.mask = Masks{mask};
  if (!states.empty()) args.tensors.push_back({"initial_state", states, true});
  return layer.apply(std::move(args));
}

Scope::Scope(MaskPropagation rule, OnMaskDropped dropped) : before_(Policy::current()) {
  Policy& policy = Policy::current();
  policy.mask_propagation = rule;
  policy.on_mask_dropped = dropped;
  policy.warn = [this](const std::string& message) { warnings_.push_back(message); };
}

Scope::~Scope() { Policy::current() = before_; }

}  // namespace maskflow::test
