// SPDX-License-Identifier: MIT
// Models as JavaScript calls them.
#include "base/scoped_value.hpp"
#include "bind.hpp"
#include "fast_exports.hpp"
#include "layers/core/input_layer.hpp"
#include "model/trace.hpp"

namespace maskflow::bindings {
namespace {

Tensor input_create(const Dict& config) {
  List batch_shape{*config.find("batch_size")};
  for (const Value& size : config.find("shape")->as_list("shape")) batch_shape.push_back(size);
  Dict settings;
  settings["batch_shape"] = batch_shape;
  settings["dtype"] = *config.find("dtype");
  if (const Value* name = config.find("name"); name != nullptr && !name->is_null()) {
    settings["name"] = *name;
  }
  return input_symbol(settings);
}

Structure structure_from(const val& value) {
  Structure structure;
  structure.tensors = tensors_from(property(value, "tensors"));
  structure.list = property(value, "list").as<bool>();
  structure.keys = strings_from(property(value, "keys"));
  return structure;
}

LayerPtr functional_create(const val& inputs, const val& outputs, const Dict& config) {
  auto model = std::make_shared<Functional>();
  model->set_class_name("Functional");
  if (const Value* name = config.find("name")) model->set_name(name->as_string("name"));
  model->set_graph(structure_from(inputs), structure_from(outputs));
  const Value* trainable = config.find("trainable");
  if (trainable != nullptr && !trainable->as_bool("trainable")) model->set_trainable(false);
  return model;
}

LayerPtr sequential_create(const Dict& config) { return make_layer("Sequential", config); }

Sequential& as_sequential(const LayerPtr& layer) {
  if (layer->kind() != "sequential") {
    state_error("'", layer->name(), "' is not a Sequential model");
  }
  return static_cast<Sequential&>(*layer);
}

void sequential_add(const LayerPtr& model, const LayerPtr& layer) {
  as_sequential(model).add(layer);
}

void sequential_pop(const LayerPtr& model) { as_sequential(model).pop(); }

JsObject model_symbols(const LayerPtr& layer) {
  Model* const model = layer->as_model();
  if (model == nullptr) {
    state_error("'", layer->name(), "' is a subclassed model: it has no graph");
  }
  return object_of(Field{"inputs", model->graph().inputs()},
                   Field{"outputs", model->graph().outputs()});
}

bool model_has_graph(const LayerPtr& layer) {
  const Model* model = layer->as_model();
  return model != nullptr && model->has_graph();
}

Structure model_predict(const LayerPtr& model, const Args& args, double batch_size) {
  const ScopedValue<Frame*> scope(running_frame(), nullptr);
  return predict(*model, args, Value(batch_size).as_integer("batchSize"));
}

JsObject event_to_js(const TraceEvent& event) {
  return object_of(
      Field{"name", event.name}, Field{"path", event.path}, Field{"className", event.class_name},
      Field{"isLayer", event.is_layer}, Field{"depth", event.depth},
      Field{"explicitMask", event.explicit_mask}, Field{"supportsMasking", event.supports_masking},
      Field{"takesMask", event.takes_mask}, Field{"maskIgnored", event.mask_ignored},
      Field{"maskTaken", event.mask_taken}, Field{"forMask", event.for_mask},
      Field{"masksIn", event.in}, Field{"masksOut", event.out}, Field{"shapesIn", event.shapes_in},
      Field{"shapesOut", event.shapes_out}, Field{"results", event.results});
}

JsObject model_trace(const LayerPtr& layer, const Args& args, bool keeps_results) {
  Trace trace(nullptr, keeps_results);
  Frame frame;
  frame.training = false;
  frame.observer = &trace;
  // A trace that keeps results answers the question of which a warning reminds.
  frame.quiet = keeps_results;
  const Structure result = layer->run(args, frame);
  return object_of(Field{"result", result}, Field{"events", list_of(trace.events(), event_to_js)});
}

JsList model_summary(const LayerPtr& layer) {
  return list_of(summary(*layer), [](const SummaryRow& row) {
    return object_of(Field{"name", row.name}, Field{"className", row.class_name},
                     Field{"outputShapes", row.shapes}, Field{"masked", row.masked},
                     Field{"parameters", row.parameters},
                     Field{"trainableParameters", row.trainable_parameters},
                     Field{"inbound", row.inbound});
  });
}

EMSCRIPTEN_BINDINGS(maskflow_models) {
  emscripten::function("modelPredicted", &model_predicted);
  bind<&input_create>("inputCreate");
  bind<&functional_create>("functionalCreate");
  bind<&sequential_create>("sequentialCreate");
  bind<&sequential_add>("sequentialAdd");
  bind<&sequential_pop>("sequentialPop");
  bind<&model_symbols>("modelSymbols");
  bind<&model_has_graph>("modelHasGraph");
  bind<&model_predict>("modelPredict");
  bind<&model_trace>("modelTrace");
  bind<&model_summary>("modelSummary");
}

}  // namespace
}  // namespace maskflow::bindings
