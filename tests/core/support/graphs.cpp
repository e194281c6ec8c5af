// SPDX-License-Identifier: MIT
#include "support/graphs.hpp"

namespace maskflow::test {

Tensor input(const Shape& shape, DType dtype) {
  const LayerPtr layer =
      make("InputLayer", {{"batch_shape", shape_value(shape)}, {"dtype", name_of(dtype)}});
  return std::static_pointer_cast<InputLayer>(layer)->symbol();
}

std::shared_ptr<Functional> functional(const Tensors& inputs, const Tensors& outputs) {
  auto model = std::make_shared<Functional>();
  model->set_class_name("Functional");
  model->set_graph({inputs, inputs.size() > 1}, {outputs, outputs.size() > 1});
  return model;
}

std::shared_ptr<Sequential> sequential(const std::vector<LayerPtr>& layers) {
  auto model = std::make_shared<Sequential>();
  model->set_class_name("Sequential");
  for (const LayerPtr& layer : layers) model->add(layer);
  return model;
}

LayerPtr reloaded(Layer& model) {
  LayerPtr copy = deserialize_layer(serialize_layer(model));
  Tensors values;
  for (const Layer::Weight& weight : model.weights()) values.push_back(weight.variable->value());
  copy->set_weights(values);
  return copy;
}

Tensors run(Layer& layer, const Tensors& inputs) {
  Args args;
  args.inputs = inputs;
  args.list = inputs.size() > 1;
  return layer.apply(std::move(args));
}

}  // namespace maskflow::test
