// SPDX-License-Identifier: MIT
#include <algorithm>

#include "layers/core/input_layer.hpp"
#include "model/fit_input.hpp"
#include "model/model.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

bool is_input(const Tensor& symbol) {
  return symbol.origin()->node()->operation->as_input_layer() != nullptr;
}

}  // namespace

void Functional::set_graph(Structure inputs, Structure outputs) {
  inputs_ = std::move(inputs);
  outputs_ = std::move(outputs);
  outputs_.list = outputs_.list && outputs_.keys.empty();
  set_graph();
  for (const LayerPtr& layer : sublayers()) adopt(*layer);
  if (!std::ranges::all_of(inputs_.tensors, is_input)) {
    // As in Keras, a model may start in the middle of a graph. It then has its own inputs, and the
    // same layers are called on them.
    for (Tensor& input : inputs_.tensors) {
      if (!is_input(input)) input = input_symbol(input.spec());
    }
    Frame frame = quiet_frame();
    outputs_.tensors = execution_->run(inputs_.tensors, frame);
    set_graph();
  }
  built_ = true;
}

void Functional::set_graph() {
  graph_.emplace(inputs_.tensors, outputs_.tensors);
  execution_.emplace(*graph_);
}

// Inside another model the tensors remain those of its graph, so that masks that are removed here
// are removed there, as in Keras. The outermost call does not change the caller's tensors.
Tensors Model::masked_inputs(const Args& args, const Frame& frame) {
  Tensors inputs = args.inputs;
  const bool outermost = frame.depth() <= 1;
  for (std::size_t i = 0; args.mask && i < inputs.size() && i < args.mask->size(); ++i) {
    const MaskPtr& mask = (*args.mask)[i];
    if (!mask || !(outermost || inputs[i].mask() != mask)) continue;
    inputs[i] = frame.inline_models ? with_mask(inputs[i], mask) : inputs[i].with_mask(mask);
  }
  return inputs;
}

// Returns the inputs of a call in the order of the graph; a dictionary is read by key.
Tensors Functional::ordered_inputs(const Args& args, const Frame& frame) const {
  const Tensors& symbols = graph_->inputs();
  const bool by_position = args.list || args.keys.empty();
  // A dictionary may have further entries.
  if (by_position && args.inputs.size() != symbols.size()) {
    shape_error("the model has ", symbols.size(), " inputs but was given ", args.inputs.size());
  }
  // As in Keras, a list may replace a dictionary only if its keys were in alphabetical order.
  if (by_position && !inputs_.keys.empty() && !inputs_.list) {
    value_error("the model has a dictionary of inputs with keys out of alphabetical order ('",
                inputs_.keys.front(),
                "' comes first in a list); pass the inputs by key, not as a list");
  }
  const Tensors inputs = masked_inputs(args, frame);
  if (by_position) return inputs;
  Tensors result;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const std::string name =
        inputs_.keys.empty() ? symbols[i].origin()->node()->operation->name() : inputs_.keys[i];
    const auto key = std::ranges::find(args.keys, name);
    if (key == args.keys.end()) value_error("the input '", name, "' is missing");
    result.push_back(inputs[static_cast<std::size_t>(key - args.keys.begin())]);
  }
  return result;
}

void Model::check_batch(const Tensors& inputs) const {
  const Dim fixed = fixed_batch();
  for (const Tensor& input : inputs) {
    if (fixed == kUnknown || input.is_symbolic() || input.rank() == 0) continue;
    const Dim rows = input.shape()[0];
    if (rows == fixed) continue;
    shape_error("a batch has ", rows, " rows but this stateful model has batches of ", fixed,
                "; pass a multiple of that, and no other batchSize");
  }
}

Dim Functional::fixed_batch() const {
  if (!graph_) return kUnknown;
  for (const Tensor& input : graph_->inputs()) {
    if (input.rank() > 0 && input.shape()[0] != kUnknown) {
      return stateful() ? input.shape()[0] : kUnknown;
    }
  }
  return kUnknown;
}

void Functional::fit(Tensors& inputs) const {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Tensor& symbol = graph_->inputs()[i];
    const std::string name = symbol.origin()->node()->operation->name();
    check_dims(inputs[i].shape(), symbol.shape(), name);
    inputs[i] = fit_input(inputs[i], symbol.spec(), name);
  }
}

Structure Functional::call(const Args& args, Frame& frame) {
  frame.replaces_training = !follows_316();
  Tensors inputs = ordered_inputs(args, frame);
  check_batch(inputs);
  fit(inputs);
  Structure result(execution_->run(inputs, frame), outputs_.list);
  result.keys = outputs_.keys;
  // As in Keras, a list of one output is that output, except in a graph.
  if (result.tensors.size() == 1 && !result.tensors.front().is_symbolic()) result.list = false;
  return result;
}

OutputSpecs Functional::output_specs(const Args& args) {
  Tensors inputs = ordered_inputs(args, quiet_frame());
  fit(inputs);
  OutputSpecs specs(execution_->specs(inputs), outputs_.list);
  specs.keys = outputs_.keys;
  return specs;
}

std::vector<LayerPtr> Functional::sublayers() const {
  std::vector<LayerPtr> layers;
  if (!graph_) return layers;
  for (const auto& operation : graph_->operations()) {
    if (operation->is_layer()) layers.push_back(std::static_pointer_cast<Layer>(operation));
  }
  return layers;
}

bool Functional::stateful() const {
  const std::vector<LayerPtr> layers = sublayers();
  return std::ranges::any_of(layers, [](const LayerPtr& layer) { return layer->stateful(); });
}

void Functional::read_config(const Dict& config) {
  if (const Value* name = config.find("name")) set_name(name->as_string("name"));
  read_trainable(config);
  frozen_in_file_ = !trainable_;
  FunctionalParts parts = functional_from_config(config);
  set_graph(std::move(parts.inputs), std::move(parts.outputs));
}

Dict Functional::get_config() {
  ensure_name();
  Dict config;
  config["name"] = name();
  config["trainable"] = trainable();
  const Dict graph = functional_config(*graph_, inputs_, outputs_);
  for (const Dict::Entry& entry : graph.entries()) {
    config[entry.key] = entry.value;
  }
  return config;
}

bool Functional::only_attaches_masks() const {
  return graph_ && graph_->nodes().size() == 1 && outputs_.tensors.size() == 1;
}

std::string Functional::default_name() const {
  return only_attaches_masks() ? "with_mask" : Model::default_name();
}

Streaming Functional::streaming(const Shape& /*input*/) const {
  return only_attaches_masks() ? Streaming::kEachStep : Streaming::kUndeclared;
}

Tensor with_mask(const Tensor& x, const MaskPtr& mask) {
  const bool records = x.is_symbolic() || (mask && mask->original().is_symbolic());
  if (!records) return x.with_mask(mask);
  // The model attaches its mask to its input, which must not be x.
  const Tensor copy = x.is_symbolic() ? ops::unary("ConvertToTensor", x) : x.with_mask(nullptr);
  if (!mask) return copy;
  const auto model = std::make_shared<Functional>();
  model->set_class_name("Functional");
  const Tensor input = input_symbol(x.spec());
  model->set_graph(input, input);
  model->ensure_name();
  Args args;
  args.inputs = {copy};
  args.mask = Masks{mask};
  return record(model, std::move(args), {x.spec()}).front().with_mask(mask);
}

namespace {
const RegisterLayer<Functional> registration{
    "Functional", "A graph of layers.", {.aliases = "Model", .in_tfjs = true}};
}  // namespace

}  // namespace maskflow
