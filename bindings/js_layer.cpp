// SPDX-License-Identifier: MIT
#include "js_layer.hpp"

#include <utility>

#include "base/scoped_value.hpp"
#include "held_layers.hpp"
#include "ops/custom_function.hpp"
#include "ops/made_up_sizes.hpp"

namespace maskflow::bindings {
namespace {

val& host() {
  static val functions = val::undefined();
  return functions;
}

// A host function returns null if user code threw; JavaScript keeps the error.
val checked(val result) {
  if (result.isNull()) callback_error();
  return result;
}

LayerPtr layer_from(const val& handle) { return layer_at(handle.as<LayerHandle>()); }

// Tensors that host functions return belong to the core, which frees their handles. Layers still
// belong to their JavaScript objects.

void free_tensors(const val& handles) {
  for (std::size_t i = 0; i < length_of(handles); ++i) {
    if (!is_missing(handles[i])) free_tensor(handles[i].as<TensorHandle>());
  }
}

Tensors take_tensors(const val& handles) {
  Tensors tensors = tensors_from(handles);
  free_tensors(handles);
  return tensors;
}

Tensor take_tensor(const val& handle) {
  const auto address = checked(handle).as<TensorHandle>();
  Tensor tensor = tensor_at(address);
  free_tensor(address);
  return tensor;
}

Masks take_masks(const val& handles) {
  Masks masks = masks_from(handles);
  free_tensors(handles);
  return masks;
}

// Calls code of a layer that is not part of the running call: layers that it calls start a new one.
val call_apart(const char* function, const auto&... arguments) {
  const ScopedValue<Frame*> scope(running_frame(), nullptr);
  return host().call<val>(function, arguments...);
}

}  // namespace

void set_host(val functions) {
  host() = std::move(functions);
  Policy::current().warn = [](const std::string& message) {
    static_cast<void>(checked(host().call<val>("warn", message)));
  };
  custom_function_host = {
      [](const std::string& id, const Tensor& x) {
        return take_tensor(host().call<val>("applyFunction", id, to_js(x)));
      },
      [](const std::string& id, const Shape& shape, DType dtype) {
        return take_tensor(
            host().call<val>("createByFunction", id, to_js(shape), static_cast<double>(dtype)));
      },
  };
  set_custom_layer_factory([](const Value& serialized) -> LayerPtr {
    // For a class of the core only the names cross, not the whole config.
    const Value* config = serialized.find("config");
    JsObject names;
    for (const char* key : {"class_name", "module", "registered_name", "name"}) {
      const Value* value = key == std::string_view("name") && config != nullptr
                               ? config->find(key)
                               : serialized.find(key);
      if (value != nullptr) names.set(key, to_js(*value));
    }
    const val maker = host().call<val>("maker", names.value());
    if (maker.isUndefined()) return nullptr;
    return layer_from(checked(checked(maker)(config == nullptr ? val::object() : to_js(*config))));
  });
}

JsLayer::JsLayer(JsTraits traits) : traits_(traits), holder_(*this) {
  supports_masking_ = traits.overrides_compute_mask;
}

Structure JsLayer::call(const Args& args, Frame& frame) {
  Args full_args = args;
  full_args.training = frame.training;
  const ScopedValue<Frame*> scope(running_frame(), &frame);
  holder_.code_runs();
  const val result = checked(host().call<val>("call", id(), to_js(full_args), lengths_are_made_up(),
                                              is_inferring_specs()));
  // Set after the call, because the code may have called this layer again.
  list_input_ = args.list;
  Structure structure(take_tensors(property(result, "outputs")),
                      property(result, "list").as<bool>());
  structure.keys = strings_from(property(result, "keys"));
  return structure;
}

RnnCell* JsLayer::as_cell() {
  if (cell_ == nullptr) {
    const val sizes = host().call<val>("cellSizes", id());
    if (sizes.isUndefined()) return nullptr;
    cell_ = std::make_unique<JsCell>(*this, shapes_from(property(checked(sizes), "states")),
                                     shape_from(property(sizes, "output")));
    cell_->set_features(features_);
  }
  return cell_.get();
}

void JsLayer::build(const std::vector<Shape>& inputs) {
  if (!inputs.empty() && inputs.front().rank() > 0) features_ = inputs.front().back();
  if (as_cell() != nullptr) cell_->set_features(features_);
  holder_.code_runs();
  checked(call_apart("build", id(), to_js(inputs), inputs.size() > 1));
}

OutputSpecs JsLayer::output_specs(const Args& args) {
  std::vector<Shape> shapes;
  for (const Tensor& input : args.inputs) shapes.push_back(input.shape());
  const val output_shapes = call_apart("computeOutputShape", id(), to_js(shapes), args.list);
  if (output_shapes.isUndefined()) return tried_specs(args);
  build_inside(args);
  OutputSpecs specs;
  for (const Shape& shape : shapes_from(checked(output_shapes))) {
    specs.push_back(
        {shape, args.inputs.front().dtype() == DType::kBool ? DType::kBool : DType::kFloat32});
  }
  return specs;
}

OutputSpecs JsLayer::tried_specs(const Args& args) {
  Structure structure;
  OutputSpecs inferred = infer_specs(args, [&](const Args& concrete) {
    Frame frame = quiet_frame();
    frame.training = args.training;
    structure = call(concrete, frame);
    return structure.tensors;
  });
  inferred.list = structure.list;
  inferred.keys = structure.keys;
  return inferred;
}

void JsLayer::build_inside(const Args& args) {
  if (traits_.has_build || std::exchange(was_tried_, true)) return;
  if (!checked(host().call<val>("mayLackWeights", id())).as<bool>()) return;
  std::string reason;
  try {
    static_cast<void>(tried_specs(args));
    return;
  } catch (Error& error) {
    // The error of user code stays in JavaScript.
    if (error.kind() != ErrorKind::kCallback) reason = error.take_message();
  }
  checked(host().call<val>("cannotTry", id(), reason));
}

Tensors own_initial_states(const Layer& cell, Dim rows, Frame& frame) {
  const ScopedValue<Frame*> scope(running_frame(), &frame);
  return take_tensors(
      checked(host().call<val>("initialState", cell.id(), static_cast<double>(rows))));
}

Masks JsLayer::compute_mask(const Tensors& inputs, const Masks& masks) {
  if (!traits_.overrides_compute_mask) return masks;
  return take_masks(checked(call_apart("computeMask", id(), to_js(inputs),
                                       list_input_ || inputs.size() > 1, to_js(masks))));
}

std::vector<LayerPtr> JsLayer::sublayers() const {
  const val handles = checked(host().call<val>("sublayers", id()));
  std::vector<LayerPtr> layers;
  for (std::size_t i = 0; i < length_of(handles); ++i) {
    layers.push_back(layer_from(handles[i]));
  }
  return layers;
}

Dict JsLayer::get_config() {
  ensure_name();
  return value_from(checked(host().call<val>("getConfig", id()))).as_dict("config");
}

// Reads the settings that all layers have; JavaScript reads those of the class.
void JsLayer::read_config(const Dict& config) {
  Dict common;
  for (const char* key : {"name", "trainable", "dtype", "input_shape", "batch_input_shape"}) {
    if (const Value* value = config.find(key)) common[key] = *value;
  }
  Layer::read_config(common);
  // The layers inside are not known yet.
  freezes_when_built_ = !trainable_;
}

Value JsLayer::registered_name() const {
  const val name = host().call<val>("registeredName", id());
  return name.isString() ? Value(name.as<std::string>()) : Value();
}

}  // namespace maskflow::bindings
