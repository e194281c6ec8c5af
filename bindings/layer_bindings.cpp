// SPDX-License-Identifier: MIT
#include "layer_bindings.hpp"

#include "js_layer.hpp"
#include "layers/core/input_layer.hpp"
#include "model/trace.hpp"

namespace maskflow::bindings {
namespace {

Structure structure_from(const val& value) {
  Structure structure;
  structure.tensors = tensors_from(property(value, "tensors"));
  structure.list = property(value, "list").as<bool>();
  const Value keys = value_from(property(value, "keys"));
  for (const Value& key : keys.as_list("keys")) {
    structure.keys.push_back(key.as_string("keys"));
  }
  return structure;
}

val event_to_js(const TraceEvent& event) {
  JsObject object;
  object.set("name", event.name);
  object.set("path", event.path);
  object.set("className", event.class_name);
  object.set("isLayer", event.is_layer);
  object.set("depth", event.depth);
  object.set("explicitMask", event.explicit_mask);
  object.set("supportsMasking", event.supports_masking);
  object.set("takesMask", event.takes_mask);
  object.set("maskIgnored", event.mask_ignored);
  object.set("maskTaken", event.mask_taken);
  object.set("forMask", event.for_mask);
  object.set("masksIn", to_js(event.in));
  object.set("masksOut", to_js(event.out));
  object.set("shapesIn", to_js(event.shapes_in));
  object.set("shapesOut", to_js(event.shapes_out));
  return object;
}

}  // namespace

val layer_info(const LayerPtr& layer) {
  layer->ensure_name();
  JsObject info;
  info.set("id", layer->id());
  info.set("name", layer->name());
  info.set("className", layer->class_name());
  info.set("built", layer->built());
  info.set("supportsMasking", layer->supports_masking());
  info.set("trainable", layer->trainable());
  info.set("stateful", layer->stateful());
  const Model* const model = layer->as_model();
  info.set("fixedBatch", static_cast<int>(model == nullptr ? kUnknown : model->fixed_batch()));
  info.set("kind", layer->kind());
  return info;
}

val layer_weights(const LayerPtr& layer) {
  layer->ensure_name();
  JsList list;
  for (const Layer::Weight& weight : layer->weights()) {
    JsObject entry;
    entry.set("name", weight.variable->name());
    entry.set("path", weight.path);
    entry.set("shape", to_js(weight.variable->shape()));
    entry.set("dtype", static_cast<int>(weight.variable->dtype()));
    entry.set("trainable", weight.trainable);
    list.push(entry);
  }
  return list;
}

val layer_apply(const LayerPtr& layer, const val& args) {
  Frame outermost;
  Frame* const frame = running_frame();
  return to_js(layer->run(args_from(args), frame == nullptr ? outermost : *frame));
}

val layer_sublayers(const LayerPtr& layer) {
  JsList list;
  for (const LayerPtr& inner : layer->sublayers()) list.push(to_js(inner));
  return list;
}

val layer_compute_output_shape(const LayerPtr& layer, const val& shapes, bool list) {
  layer->ensure_name();
  Args args;
  args.list = list;
  const std::vector<Shape> given = shapes_from(shapes);
  for (const Shape& shape : given) {
    args.inputs.push_back(input_symbol({shape, DType::kFloat32}));
  }
  layer->build_once(given);
  std::vector<Shape> result;
  for (const TensorSpec& spec : layer->output_specs(args)) result.push_back(spec.shape);
  return to_js(result);
}

val js_layer_create(const std::string& class_name, const val& config, const val& traits) {
  JsTraits t;
  t.takes_mask = property(traits, "takesMask").as<bool>();
  t.overrides_compute_mask = property(traits, "overridesComputeMask").as<bool>();
  t.is_model = property(traits, "isModel").as<bool>();
  auto layer = std::make_shared<JsLayer>(t);
  layer->set_class_name(class_name);
  layer->read_config(dict_from(config));
  return to_js(LayerPtr(layer));
}

val functional_create(const val& inputs, const val& outputs, const val& config) {
  auto model = std::make_shared<Functional>();
  model->set_class_name("Functional");
  const Dict settings = dict_from(config);
  if (const Value* name = settings.find("name")) model->set_name(name->as_string("name"));
  if (const Value* trainable = settings.find("trainable")) {
    model->set_trainable(trainable->as_bool("trainable"));
  }
  model->set_graph(structure_from(inputs), structure_from(outputs));
  return to_js(LayerPtr(model));
}

val sequential_create(const val& config) {
  return to_js(make_layer("Sequential", dict_from(config)));
}

val model_symbols(const LayerPtr& layer) {
  Model* model = layer->as_model();
  if (model == nullptr) {
    state_error("'", layer->name(), "' is a subclassed model: it has no graph");
  }
  JsObject object;
  object.set("inputs", to_js(model->graph().inputs()));
  object.set("outputs", to_js(model->graph().outputs()));
  return object;
}

val model_trace(const LayerPtr& layer, const val& args) {
  Trace trace;
  Frame frame;
  frame.observer = &trace;
  const Structure result = layer->run(args_from(args), frame);
  JsList events;
  for (const TraceEvent& event : trace.events()) events.push(event_to_js(event));
  JsObject object;
  object.set("result", to_js(result));
  object.set("events", events);
  return object;
}

val model_summary(const LayerPtr& layer) {
  JsList list;
  for (const SummaryRow& row : summary(*layer)) {
    JsObject entry;
    entry.set("name", row.name);
    entry.set("className", row.class_name);
    entry.set("outputShapes", to_js(row.shapes));
    entry.set("masked", row.masked ? val(*row.masked) : val::null());
    entry.set("parameters", static_cast<double>(row.parameters));
    entry.set("trainableParameters", static_cast<double>(row.trainable_parameters));
    JsList inbound;
    for (const std::string& name : row.inbound) inbound.push(val(name));
    entry.set("inbound", inbound);
    list.push(entry);
  }
  return list;
}

}  // namespace maskflow::bindings
