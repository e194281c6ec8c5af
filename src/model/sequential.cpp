// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/depth.hpp"
#include "base/scoped_value.hpp"
#include "layers/core/embedding.hpp"
#include "layers/core/input_layer.hpp"
#include "model/fit_input.hpp"
#include "model/model.hpp"

namespace maskflow {
namespace {

bool is_input(const LayerPtr& layer) { return layer->as_input_layer() != nullptr; }

// Returns whether `is_meant` holds for this layer or one of its inner layers, at any depth.
template <class F>
bool any_inside(const LayerPtr& layer, const F& is_meant) {
  std::vector<LayerPtr> all{layer};
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (is_meant(*all[i])) return true;
    if (all[i]->height() == 1 && i > 0) continue;
    for (LayerPtr& inner : all[i]->sublayers()) {
      if (std::ranges::find(all, inner) == all.end()) all.push_back(std::move(inner));
    }
  }
  return false;
}

bool contains(const LayerPtr& layer, const Layer* target) {
  return any_inside(layer, [&](const Layer& inner) { return &inner == target; });
}

bool has_custom_code(const LayerPtr& layer) {
  return any_inside(layer, [](const Layer& inner) { return inner.kind() == "js"; });
}

}  // namespace

Sequential::~Sequential() {
  graph_.reset();
  destroy_in_turn(std::move(layers_));
}

// Throws while the model runs, because the code of a custom layer may refer to the model and try to
// change it.
void Sequential::check_not_running() const {
  if (running_ == 0) return;
  state_error("the layers of '", name(), "' cannot be changed while it runs");
}

void Sequential::add(LayerPtr layer) {
  check_not_running();
  if (layer == nullptr) config_error("a Sequential model consists of layers");
  if (layer.get() == this || (layer->height() > 1 && contains(layer, this))) {
    config_error("the model '", name(), "' would be inside itself");
  }
  adopt(*layer);
  graph_.reset();
  built_ = false;
  if (layers_.empty() && !layer->first_shape().is_null()) {
    Dict input;
    input["batch_shape"] = layer->first_shape();
    // The first layer may be an Embedding, whose inputs are ids.
    input["dtype"] = is_embedding(*layer) ? "int32" : "float32";
    layers_.push_back(make_layer("InputLayer", input));
  }
  layers_.push_back(std::move(layer));
  build_again();
}

void Sequential::pop() {
  check_not_running();
  if (layers_.empty()) state_error("the model has no layer to remove");
  graph_.reset();
  layers_.pop_back();
  if (layers_.empty()) first_input_.reset();
  build_again();
}

// A model whose inputs are known from a call is built again after each change, as in Keras. An
// error is left to the next call.
void Sequential::build_again() {
  if (!first_input_ || begins_with_input()) return;
  try {
    static_cast<void>(graph());
  } catch (const Error&) {
    graph_.reset();
  }
}

std::vector<LayerPtr> Sequential::sublayers() const {
  std::vector<LayerPtr> result;
  for (const LayerPtr& layer : layers_) {
    if (!is_input(layer)) result.push_back(layer);
  }
  return result;
}

bool Sequential::stateful() const {
  const Depth depth(Depth::kLayer);
  return std::ranges::any_of(layers_, [](const LayerPtr& layer) { return layer->stateful(); });
}

void Sequential::build(const std::vector<Shape>& inputs) {
  // As in Keras, layers for a list or a dictionary are built when they are called.
  if (is_built_for_list_ || has_keys_) return;
  const bool ids = !layers_.empty() && is_embedding(*layers_.front());
  const DType dtype = begins_with_input() ? layers_.front()->as_input_layer()->spec().dtype
                      : ids               ? DType::kInt32
                                          : DType::kFloat32;
  Args args;
  // Uses the symbols of new inputs, because only the shapes matter.
  for (const Shape& shape : inputs) args.inputs.push_back(input_symbol({shape, dtype}));
  static_cast<void>(output_specs(args));
}

std::vector<Shape> Sequential::build_shapes(const Args& args) const {
  is_built_for_list_ = args.list && !begins_with_input();
  has_keys_ = !args.keys.empty() && !begins_with_input();
  return Layer::build_shapes(args);
}

Structure Sequential::call(const Args& args, Frame& frame) {
  if (std::ranges::all_of(layers_, is_input)) {
    state_error("'", name(), "' has no layers; add() one first");
  }
  frame.replaces_training = !follows_316();
  check_batch(args.inputs);
  // As in Keras, a list of one tensor is that tensor for a model with one known input.
  const bool is_one = args.inputs.size() == 1 && knows_inputs() && !is_built_for_list_;
  const bool list = args.list && !is_one;
  Structure values(fitted_inputs(args, frame), list);
  if (!knows_inputs()) values.keys = args.keys;
  Structure results = run_layers(std::move(values), frame);
  if (!begins_with_input() && !first_input_) keep_first_input(args);
  return results;
}

// As in Keras, the rank must be that of the known input, and sizes are compared only in graphs. The
// dtype of an Input counts, but not that of the first call.
Tensors Sequential::fitted_inputs(const Args& args, const Frame& frame) const {
  Tensors inputs = masked_inputs(args, frame);
  const bool declared = begins_with_input();
  if (declared && !args.keys.empty()) {
    const auto key = std::ranges::find(args.keys, layers_.front()->name());
    if (key == args.keys.end()) {
      value_error("the input '", layers_.front()->name(), "' is missing");
    }
    inputs = {inputs[static_cast<std::size_t>(key - args.keys.begin())]};
  }
  if (inputs.size() != 1 || !knows_inputs() || is_built_for_list_) return inputs;
  Tensor& input = inputs.front();
  TensorSpec spec = declared ? layers_.front()->as_input_layer()->spec() : *first_input_;
  if (!declared) spec.dtype = input.dtype();
  const std::string name = declared ? layers_.front()->name() : "input";
  if (input.is_symbolic()) check_dims(input.shape(), spec.shape, name);
  input = fit_input(std::move(input), spec, name);
  return inputs;
}

// As in Keras, the first call tells the input of a model that does not begin with one, except that
// the batch stays unknown. Code of custom layers runs only when somebody asks for the graph.
void Sequential::keep_first_input(const Args& args) {
  if (args.inputs.size() != 1 || args.list || !args.keys.empty()) return;
  first_input_ = args.inputs.front().spec();
  if (first_input_->shape.rank() > 0) first_input_->shape.set(0, kUnknown);
  if (std::ranges::any_of(layers_, has_custom_code)) return;
  try {
    static_cast<void>(graph());
  } catch (const Error&) {
    // Some layers compute, but not for a batch of unknown size.
  }
}

// Passes the results of each layer to the next.
Structure Sequential::run_layers(Structure values, Frame& frame) {
  const ScopedValue<int> scope(running_, running_ + 1);
  for (const LayerPtr& layer : layers_) {
    if (is_input(layer)) continue;
    Args next;
    next.inputs = std::move(values.tensors);
    next.list = values.list;
    next.keys = std::move(values.keys);
    values = layer->run(std::move(next), frame);
  }
  return values;
}

OutputSpecs Sequential::output_specs(const Args& args) {
  Frame frame = quiet_frame();
  const Structure outputs = call(args, frame);
  OutputSpecs specs;
  for (const Tensor& output : outputs.tensors) specs.push_back(output.spec());
  specs.list = outputs.list;
  specs.keys = outputs.keys;
  return specs;
}

bool Sequential::begins_with_input() const { return !layers_.empty() && is_input(layers_.front()); }

Dim Sequential::fixed_batch() const {
  if (!begins_with_input()) return kUnknown;
  const Shape shape = layers_.front()->as_input_layer()->spec().shape;
  const bool is_fixed = shape.rank() > 0 && shape[0] != kUnknown && stateful();
  return is_fixed ? shape[0] : kUnknown;
}

const Graph& Sequential::graph() {
  if (graph_) return *graph_;
  if (!knows_inputs()) {
    ensure_name();
    state_error("the inputs of '", name(),
                "' are not known yet; put Input({ shape }) first, or call the model once");
  }
  const Tensor input = begins_with_input() ? layers_.front()->as_input_layer()->symbol()
                                           : input_symbol(*first_input_);
  Frame frame;
  graph_.emplace(Tensors{input}, run_layers(input, frame).tensors);
  // All layers are built now. As in Keras, a model that begins with an Input is built at once.
  built_ = true;
  return *graph_;
}

void Sequential::read_config(const Dict& config) {
  if (const Value* name = config.find("name")) set_name(name->as_string("name"));
  if (const Value* layers = config.find("layers")) {
    for (const Value& layer : layers->as_list("layers")) add(deserialize_layer(layer));
  }
  read_trainable(config);
  apply_trainable(config);
  // As in Keras, the flags of the layers are restored, but not that of the model itself.
  frozen_in_file_ = !trainable_;
  trainable_ = true;
  freezes_when_built_ = false;
}

Dict Sequential::get_config() {
  const ScopedValue<int> scope(running_, running_ + 1);
  ensure_name();
  Dict config;
  config["name"] = name();
  config["trainable"] = trainable();
  config["dtype"] = "float32";
  List layers;
  for (const LayerPtr& layer : layers_) layers.push_back(serialize_layer(*layer));
  config["layers"] = layers;
  return config;
}

namespace {
const RegisterLayer<Sequential> registration{
    "Sequential", "Layers one after the other.", {.in_tfjs = true}};
}  // namespace

}  // namespace maskflow
