// SPDX-License-Identifier: MIT
// The table of what JavaScript can call; web/src/engine/native.ts says what each entry means.
#include <emscripten/bind.h>

#include "base/scoped_value.hpp"
#include "exchange.hpp"
#include "fast_exports.hpp"
#include "held_layers.hpp"
#include "js_layer.hpp"
#include "layer_bindings.hpp"
#include "layers/core/input_layer.hpp"
#include "ops/op.hpp"
#include "preprocessing/pad_sequences.hpp"

namespace maskflow::bindings {
namespace {

val take_last_error() {
  const LastError error = std::exchange(last_error(), {});
  JsObject object;
  object.set("kind", static_cast<int>(error.kind));
  object.set("message", error.message.empty()
                            ? val("out of memory: dispose of what is no longer needed, or use "
                                  "smaller batches")
                            : val(error.message));
  return object;
}

val configure(const val& options) {
  return guarded([&] {
    Policy& policy = Policy::current();
    const Dict settings = dict_from(options);
    if (const Value* rule = settings.find("mask_propagation")) {
      const std::string& name = rule->as_string("mask_propagation");
      if (name != "keras-3.15" && name != "keras-3.16") {
        config_error("maskPropagation is '", name, "' but must be 'keras-3.15' or 'keras-3.16'");
      }
      policy.mask_propagation =
          name == "keras-3.16" ? MaskPropagation::kKeras316 : MaskPropagation::kKeras315;
    }
    if (const Value* pin = settings.find("pin_mask_propagation")) {
      policy.pin_mask_propagation = pin->as_bool("pin_mask_propagation");
    }
    if (const Value* what = settings.find("on_mask_dropped")) {
      const std::string& name = what->as_string("on_mask_dropped");
      if (name != "warn" && name != "error" && name != "silent") {
        config_error("onMaskDropped is '", name, "' but must be 'warn', 'error' or 'silent'");
      }
      policy.on_mask_dropped = name == "warn"    ? OnMaskDropped::kWarn
                               : name == "error" ? OnMaskDropped::kError
                                                 : OnMaskDropped::kSilent;
    }
    if (const Value* note = settings.find("absent_note")) {
      policy.absent_note = note->as_string("absent_note");
    }
    if (const Value* bytes = settings.find("max_bytes")) {
      const double most = bytes->as_number("maxBytes");
      if (!(most >= 1 && most <= 0x1p53)) {
        config_error("maxBytes is ", most, " but must be a number of bytes, at least 1");
      }
      set_memory_limit(static_cast<std::uint64_t>(most));
    }
    if (const Value* seed = settings.find("seed")) {
      policy.random = Random(static_cast<std::uint64_t>(seed->as_integer("seed")));
    }
    return val(true);
  });
}

val memory() {
  JsObject object;
  object.set("tensors", static_cast<double>(live_memory().tensors));
  object.set("bytes", static_cast<double>(live_memory().bytes));
  return object;
}

val set_host_functions(val host) {
  set_host(std::move(host));
  return val(true);
}

val tensor_create(int dtype, const val& shape) {
  return guarded([&] { return to_js(Tensor(static_cast<DType>(dtype), shape_from(shape))); });
}
double exchange_address() {
  return static_cast<double>(reinterpret_cast<std::uintptr_t>(&exchange()));
}
val tensor_pointer(TensorHandle handle) {
  return guarded([&] {
    const Tensor& tensor = tensor_at(handle);
    if (tensor.is_symbolic()) {
      state_error(
          "a symbolic tensor has a shape but no data; build a model from it and call predict");
    }
    return val(static_cast<double>(reinterpret_cast<std::uintptr_t>(tensor.raw())));
  });
}
val tensor_info(TensorHandle handle) {
  return guarded([&] {
    const Tensor& tensor = tensor_at(handle);
    JsObject info;
    info.set("dtype", static_cast<int>(tensor.dtype()));
    info.set("shape", to_js(tensor.shape()));
    info.set("symbolic", tensor.is_symbolic());
    return info;
  });
}
val tensor_mask(TensorHandle handle) {
  return guarded([&] { return to_js(tensor_at(handle).mask()); });
}
val tensor_with_mask(TensorHandle handle, const val& mask) {
  return guarded([&] { return to_js(tensor_at(handle).with_mask(mask_from(mask))); });
}
val op_apply(const std::string& name, const val& operands, const val& attributes) {
  return guarded([&] {
    const Tensors tensors = tensors_from(operands);
    const Dict settings = dict_from(attributes);
    const OpDef& op = find_op(name);
    const Frame* frame = running_frame();
    return to_js(frame == nullptr ? apply_op(op, tensors, settings)
                                  : apply_op(op, tensors, settings, *frame));
  });
}
val pad_sequences_js(TensorHandle values, const val& lengths, const val& options,
                     TensorHandle value) {
  return guarded([&] {
    std::vector<Dim> counts;
    for (std::size_t i = 0; i < length_of(lengths); ++i) {
      const Dim count = Value(lengths[i].as<double>()).as_integer("lengths");
      if (count < 0) value_error("a length is ", count, " but must not be negative");
      counts.push_back(count);
    }
    const Dict settings = dict_from(options);
    PadOptions pad;
    if (const Value* maxlen = settings.find("maxlen"); maxlen != nullptr && !maxlen->is_null()) {
      pad.maxlen = maxlen->as_integer("maxlen");
    }
    pad.padding = settings.find("padding")->as_string("padding");
    pad.truncating = settings.find("truncating")->as_string("truncating");
    return to_js(pad_sequences(tensor_at(values), counts, pad, tensor_at(value)));
  });
}

val layer_create(const std::string& class_name, const val& config) {
  return guarded([&] { return to_js(make_layer(class_name, dict_from(config))); });
}
val js_layer_create_guarded(const std::string& class_name, const val& config, const val& traits) {
  return guarded([&] { return js_layer_create(class_name, config, traits); });
}
val layer_deserialize(const val& serialized) {
  return guarded([&] { return to_js(deserialize_layer(value_from(serialized))); });
}
val layer_serialize(LayerHandle handle) {
  return with_layer(handle, [&](const LayerPtr& layer) { return to_js(serialize_layer(*layer)); });
}
val layer_get_config(LayerHandle handle) {
  return with_layer(handle,
                    [&](const LayerPtr& layer) { return to_js(Value(layer->get_config())); });
}
val layer_address(LayerHandle handle) {
  return with_layer(handle, [](const LayerPtr& layer) {
    return val(static_cast<double>(reinterpret_cast<std::uintptr_t>(layer.get())));
  });
}
val layer_info_guarded(LayerHandle handle) {
  return with_layer(handle, [&](const LayerPtr& layer) { return layer_info(layer); });
}
val layer_set(LayerHandle handle, const val& settings) {
  return with_layer(handle, [&](const LayerPtr& layer) {
    const Dict dict = dict_from(settings);
    if (const Value* v = dict.find("supports_masking"))
      layer->set_supports_masking(v->as_bool("supportsMasking"));
    if (const Value* v = dict.find("trainable")) layer->set_trainable(v->as_bool("trainable"));
    // Settings by Keras's names: what adapt() found out.
    if (const Value* v = dict.find("config")) layer->read_config(v->as_dict("config"));
    return val(true);
  });
}
val layer_build(LayerHandle handle, const val& shapes) {
  return with_layer(handle, [&](const LayerPtr& layer) {
    layer->ensure_name();
    layer->build_once(shapes_from(shapes));
    return val(true);
  });
}
val layer_apply_guarded(LayerHandle handle, const val& args) {
  return with_layer(handle, [&](const LayerPtr& layer) { return layer_apply(layer, args); });
}
val layer_compute_mask(LayerHandle handle, const val& inputs, bool /*list*/, const val& masks) {
  return with_layer(handle, [&](const LayerPtr& layer) {
    return to_js(layer->compute_mask(tensors_from(inputs), masks_from(masks)));
  });
}
val layer_output_shape(LayerHandle handle, const val& shapes, bool list) {
  return with_layer(handle, [&](const LayerPtr& layer) {
    return layer_compute_output_shape(layer, shapes, list);
  });
}
val layer_add_weight(LayerHandle handle, const val& weight) {
  return with_layer(handle, [&](const LayerPtr& layer) {
    const Dict dict = dict_from(weight);
    layer->add_weight(dict.find("name")->as_string("name"), shape_from(property(weight, "shape")),
                      Initializer::from_config(*dict.find("initializer")),
                      dict.find("trainable")->as_bool("trainable"),
                      dtype_of(dict.find("dtype")->as_string("dtype")));
    return val(static_cast<int>(layer->own_weights().size()) - 1);
  });
}
val layer_own_weight(LayerHandle handle, int index) {
  return with_layer(handle, [&](const LayerPtr& layer) {
    return to_js(layer->own_weights().at(static_cast<std::size_t>(index))->read());
  });
}
val layer_weights_guarded(LayerHandle handle) {
  return with_layer(handle, [&](const LayerPtr& layer) { return layer_weights(layer); });
}
val layer_get_weight(LayerHandle handle, int index) {
  return with_layer(handle, [&](const LayerPtr& layer) {
    return to_js(layer->weights().at(static_cast<std::size_t>(index)).variable->read());
  });
}
val layer_set_weight(LayerHandle handle, int index, TensorHandle value) {
  return with_layer(handle, [&](const LayerPtr& layer) {
    layer->weights()
        .at(static_cast<std::size_t>(index))
        .variable->set_value(std::move(tensor_at(value)));
    return val(true);
  });
}
val layer_set_weights(LayerHandle handle, const val& values) {
  return with_layer(handle, [&](const LayerPtr& layer) {
    layer->ensure_name();
    layer->set_weights(tensors_from(values));
    return val(true);
  });
}
val layer_reset_state(LayerHandle handle) {
  return with_layer(handle, [&](const LayerPtr& layer) {
    layer->reset_state();
    return val(true);
  });
}
val layer_sublayers_guarded(LayerHandle handle) {
  return with_layer(handle, [&](const LayerPtr& layer) { return layer_sublayers(layer); });
}

val input_create(const val& config) {
  return guarded([&] {
    const Dict given = dict_from(config);
    List batch_shape{*given.find("batch_size")};
    for (const Value& dim : given.find("shape")->as_list("shape")) batch_shape.push_back(dim);
    Dict settings;
    settings["batch_shape"] = batch_shape;
    settings["dtype"] = *given.find("dtype");
    if (const Value* name = given.find("name"); name != nullptr && !name->is_null())
      settings["name"] = *name;
    return to_js(input_symbol(settings));
  });
}
val functional_create_guarded(const val& inputs, const val& outputs, const val& config) {
  return guarded([&] { return functional_create(inputs, outputs, config); });
}
val sequential_create_guarded(const val& config) {
  return guarded([&] { return sequential_create(config); });
}
Sequential& as_sequential(const LayerPtr& layer) {
  if (layer->kind() != "sequential") {
    state_error("'", layer->name(), "' is not a Sequential model");
  }
  return static_cast<Sequential&>(*layer);
}
val sequential_add(LayerHandle handle, LayerHandle layer) {
  return with_layer(handle, [&](const LayerPtr& model) {
    as_sequential(model).add(layer_at(layer));
    return val(true);
  });
}
val sequential_pop(LayerHandle handle) {
  return with_layer(handle, [&](const LayerPtr& model) {
    as_sequential(model).pop();
    return val(true);
  });
}
val model_symbols_guarded(LayerHandle handle) {
  return with_layer(handle, [&](const LayerPtr& model) { return model_symbols(model); });
}
val model_has_graph(LayerHandle handle) {
  return with_layer(handle, [&](const LayerPtr& layer) {
    const Model* model = layer->as_model();
    return val(model != nullptr && model->has_graph());
  });
}
val model_predict(LayerHandle handle, const val& args, double batch_size) {
  return with_layer(handle, [&](const LayerPtr& model) {
    const ScopedValue<Frame*> scope(running_frame(), nullptr);
    return to_js(predict(*model, args_from(args), Value(batch_size).as_integer("batchSize")));
  });
}
val model_trace_guarded(LayerHandle handle, const val& args) {
  return with_layer(handle, [&](const LayerPtr& model) { return model_trace(model, args); });
}
val model_summary_guarded(LayerHandle handle) {
  return with_layer(handle, [&](const LayerPtr& model) { return model_summary(model); });
}

EMSCRIPTEN_BINDINGS(maskflow) {
  using emscripten::function;
  function("lastError", &take_last_error);
  function("setHost", &set_host_functions);
  function("configure", &configure);
  function("memory", &memory);

  function("tensorCreate", &tensor_create);
  function("exchangeAddress", &exchange_address);
  function("tensorPointer", &tensor_pointer);
  function("tensorInfo", &tensor_info);
  function("tensorMask", &tensor_mask);
  function("tensorWithMask", &tensor_with_mask);
  function("opApply", &op_apply);
  function("padSequences", &pad_sequences_js);

  function("layerCreate", &layer_create);
  function("jsLayerCreate", &js_layer_create_guarded);
  function("layerDeserialize", &layer_deserialize);
  function("layerSerialize", &layer_serialize);
  function("layerGetConfig", &layer_get_config);
  function("layerAddress", &layer_address);
  function("layerInfo", &layer_info_guarded);
  function("layerSet", &layer_set);
  function("layerBuild", &layer_build);
  function("layerApply", &layer_apply_guarded);
  function("layerComputeMask", &layer_compute_mask);
  function("layerComputeOutputShape", &layer_output_shape);
  function("layerAddWeight", &layer_add_weight);
  function("layerOwnWeight", &layer_own_weight);
  function("layerWeights", &layer_weights_guarded);
  function("layerGetWeight", &layer_get_weight);
  function("layerSetWeight", &layer_set_weight);
  function("layerSetWeights", &layer_set_weights);
  function("layerResetState", &layer_reset_state);
  function("layerSublayers", &layer_sublayers_guarded);
  function("layerDisown", &layer_disown);

  function("inputCreate", &input_create);
  function("functionalCreate", &functional_create_guarded);
  function("sequentialCreate", &sequential_create_guarded);
  function("sequentialAdd", &sequential_add);
  function("sequentialPop", &sequential_pop);
  function("modelSymbols", &model_symbols_guarded);
  function("modelHasGraph", &model_has_graph);
  function("modelPredict", &model_predict);
  function("modelPredicted", &model_predicted);
  function("modelTrace", &model_trace_guarded);
  function("modelSummary", &model_summary_guarded);
}

}  // namespace
}  // namespace maskflow::bindings
