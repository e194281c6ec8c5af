// SPDX-License-Identifier: MIT
// Layers as JavaScript calls them.
#include "bind.hpp"
#include "js_layer.hpp"
#include "layer/numbered_name.hpp"
#include "layers/core/input_layer.hpp"
#include "layers/recurrent/recurrent.hpp"
#include "model/model.hpp"
#include "ops/first_call.hpp"
#include "ops/node.hpp"

namespace maskflow::bindings {
namespace {

LayerPtr layer_create(const std::string& class_name, const Dict& config) {
  LayerPtr layer = make_layer(class_name, config);
  layer->check_new();
  return layer;
}

LayerPtr js_layer_create(const std::string& class_name, const Dict& config, const val& traits) {
  JsTraits t;
  t.takes_mask = property(traits, "takesMask").as<bool>();
  t.overrides_compute_mask = property(traits, "overridesComputeMask").as<bool>();
  t.is_model = property(traits, "isModel").as<bool>();
  t.has_build = property(traits, "hasBuild").as<bool>();
  auto layer = std::make_shared<JsLayer>(t);
  layer->set_class_name(class_name);
  layer->read_config(config);
  return layer;
}

LayerPtr layer_deserialize(const Value& serialized) { return deserialize_layer(serialized); }

Value layer_serialize(const LayerPtr& layer) {
  return layer->as_model() == nullptr ? serialize_with_build(*layer) : serialize_layer(*layer);
}

Value layer_get_config(const LayerPtr& layer) { return layer->get_config(); }

double layer_address(const LayerPtr& layer) {
  return static_cast<double>(reinterpret_cast<std::uintptr_t>(layer.get()));
}

JsObject layer_info(const LayerPtr& layer) {
  layer->ensure_name();
  const Model* const model = layer->as_model();
  return object_of(
      Field{"id", layer->id()}, Field{"name", layer->name()},
      Field{"className", layer->class_name()}, Field{"built", layer->built()},
      Field{"supportsMasking", layer->supports_masking()}, Field{"trainable", layer->trainable()},
      Field{"frozenInFile", layer->frozen_in_file()}, Field{"stateful", layer->stateful()},
      Field{"fixedBatch", model == nullptr ? kUnknown : model->fixed_batch()},
      Field{"kind", layer->kind()});
}

void layer_set(const LayerPtr& layer, const Dict& settings) {
  if (const Value* supports = settings.find("supports_masking")) {
    layer->set_supports_masking(supports->as_bool("supportsMasking"));
  }
  if (const Value* trainable = settings.find("trainable")) {
    const bool flag = trainable->as_bool("trainable");
    if (settings.find("alone") == nullptr) {
      layer->set_trainable(flag);
    } else {
      layer->assign_trainable(flag);
    }
  }
  // The settings that adapt() computed, by Keras's names.
  if (const Value* config = settings.find("config")) layer->read_config(config->as_dict("config"));
}

void layer_build(const LayerPtr& layer, const std::vector<Shape>& shapes) {
  layer->ensure_name();
  layer->build_once(shapes);
}

Structure layer_apply(const LayerPtr& layer, const Args& args) {
  Frame outermost;
  Frame* const frame = running_frame();
  return layer->run(args, frame == nullptr ? outermost : *frame);
}

// Symbolic inputs and outputs of a model, or of the first call of a layer, with their masks.
JsObject layer_symbols(const LayerPtr& layer) {
  Model* const model = layer->as_model();
  // As in Keras, the ends of a called Sequential are those of its first call; those of a graph are
  // always its own.
  const bool has_own = model != nullptr && model->has_graph();
  Tensors outputs = has_own && layer->kind() == "functional" ? Tensors() : first_call(*layer);
  if (outputs.empty() && has_own) {
    return object_of(Field{"inputs", model->graph().inputs()},
                     Field{"outputs", model->graph().outputs()});
  }
  if (outputs.empty()) {
    layer->ensure_name();
    state_error("the layer '", layer->name(),
                "' is in no graph: call it with the result of Input(), or put it into a model that "
                "begins with an Input");
  }
  const Args& args = outputs.front().origin()->node()->args;
  const Masks given = args.mask ? *args.mask : masks_of(args.inputs);
  const Masks masks = layer->supports_masking() ? layer->compute_mask(args.inputs, given) : Masks();
  for (std::size_t i = 0; i < outputs.size() && i < masks.size(); ++i) {
    if (masks[i]) outputs[i] = outputs[i].with_mask(masks[i]);
  }
  return object_of(Field{"inputs", args.inputs}, Field{"outputs", outputs});
}

Masks layer_compute_mask(const LayerPtr& layer, const Tensors& inputs, bool /*list*/,
                         const Masks& masks) {
  return layer->compute_mask(inputs, masks);
}

std::vector<Shape> layer_compute_output_shape(const LayerPtr& layer,
                                              const std::vector<Shape>& shapes, bool list) {
  layer->ensure_name();
  Args args;
  args.list = list;
  for (const Shape& shape : shapes) args.inputs.push_back(input_symbol({shape, DType::kFloat32}));
  layer->build_once(shapes);
  std::vector<Shape> result;
  for (const TensorSpec& spec : layer->output_specs(args)) result.push_back(spec.shape);
  return result;
}

// Returns the name of the new weight, and its index among the layer's own weights.
JsObject layer_add_weight(const LayerPtr& layer, const val& weight) {
  const Dict settings = dict_from(weight);
  const Value* const name = settings.find("name");
  const VariablePtr variable =
      layer->add_weight(name == nullptr ? numbered_name("variable") : name->as_string("name"),
                        shape_from(property(weight, "shape")),
                        Initializer::from_config(*settings.find("initializer")),
                        settings.find("trainable")->as_bool("trainable"),
                        dtype_of(settings.find("dtype")->as_string("dtype")));
  return object_of(Field{"index", layer->own_weights().size() - 1},
                   Field{"name", variable->name()});
}

Tensor layer_own_weight(const LayerPtr& layer, int index) {
  return layer->own_weights().at(static_cast<std::size_t>(index))->read();
}

// Ignored while a graph finds out shapes: as in Keras, only calls that compute change weights.
void layer_set_own_weight(const LayerPtr& layer, int index, Tensor& value) {
  if (is_inferring_specs()) return;
  layer->own_weights().at(static_cast<std::size_t>(index))->set_value(value);
}

JsList layer_weights(const LayerPtr& layer) {
  layer->ensure_name();
  return list_of(layer->weights(), [](const Layer::Weight& weight) {
    const Variable& variable = *weight.variable;
    return object_of(Field{"name", variable.name()}, Field{"path", weight.path},
                     Field{"shape", variable.shape()}, Field{"dtype", variable.dtype()},
                     Field{"trainable", weight.trainable});
  });
}

// Returns a weight by its index in `weights()`, where a layer's own ones come first. A custom layer
// may have thousands of its own, and making the list for each of them would take too long.
VariablePtr weight_at(const LayerPtr& layer, int index) {
  const auto place = static_cast<std::size_t>(index);
  const std::vector<VariablePtr>& own = layer->own_weights();
  if (layer->kind() == "js" && place < own.size()) {
    std::size_t seen = 0;
    for (const bool parameters : {true, false}) {
      for (const VariablePtr& variable : own) {
        if (variable->is_parameter() == parameters && seen++ == place) return variable;
      }
    }
  }
  return layer->weights().at(place).variable;
}

Tensor layer_get_weight(const LayerPtr& layer, int index) {
  return weight_at(layer, index)->read();
}

Tensors layer_get_weights(const LayerPtr& layer) {
  layer->ensure_name();
  Tensors values;
  for (const Layer::Weight& weight : layer->weights()) values.push_back(weight.variable->read());
  return values;
}

// Takes the data of `value`, which JavaScript only frees afterwards.
void layer_set_weight(const LayerPtr& layer, int index, Tensor& value) {
  weight_at(layer, index)->set_value(std::move(value));
}

void layer_set_weights(const LayerPtr& layer, const Tensors& values) {
  layer->ensure_name();
  layer->set_weights(values);
}

// Null unless the layer keeps states.
val layer_states(const LayerPtr& layer) {
  const std::optional<Tensors> states = states_of(*layer);
  return states ? to_js(*states) : val::null();
}

void layer_reset_state(const LayerPtr& layer) { layer->reset_state(); }

// Whether another layer or a graph contains the layer.
bool layer_is_held(const LayerPtr& layer) { return !first_call(*layer).empty() || is_held(layer); }

JsList layer_sublayers(const LayerPtr& layer) {
  return list_of(layer->sublayers(), [](const LayerPtr& inner) { return to_js(inner); });
}

EMSCRIPTEN_BINDINGS(maskflow_layers) {
  bind<&layer_create>("layerCreate");
  bind<&js_layer_create>("jsLayerCreate");
  bind<&layer_deserialize>("layerDeserialize");
  bind<&layer_serialize>("layerSerialize");
  bind<&layer_get_config>("layerGetConfig");
  bind<&layer_address>("layerAddress");
  bind<&layer_info>("layerInfo");
  bind<&layer_set>("layerSet");
  bind<&layer_build>("layerBuild");
  bind<&layer_apply>("layerApply");
  bind<&layer_compute_mask>("layerComputeMask");
  bind<&layer_symbols>("layerSymbols");
  bind<&layer_compute_output_shape>("layerComputeOutputShape");
  bind<&layer_add_weight>("layerAddWeight");
  bind<&layer_own_weight>("layerOwnWeight");
  bind<&layer_set_own_weight>("layerSetOwnWeight");
  bind<&layer_weights>("layerWeights");
  bind<&layer_get_weight>("layerGetWeight");
  bind<&layer_get_weights>("layerGetWeights");
  bind<&layer_set_weight>("layerSetWeight");
  bind<&layer_set_weights>("layerSetWeights");
  bind<&layer_reset_state>("layerResetState");
  bind<&layer_states>("layerStates");
  bind<&layer_sublayers>("layerSublayers");
  bind<&layer_is_held>("layerIsHeld");
  bind<&layer_disown>("layerDisown");
}

}  // namespace
}  // namespace maskflow::bindings
