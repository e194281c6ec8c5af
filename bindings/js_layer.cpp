// SPDX-License-Identifier: MIT
#include "js_layer.hpp"

#include "base/scoped_value.hpp"
#include "held_layers.hpp"

namespace maskflow::bindings {
namespace {

val& host() {
  static val functions = val::undefined();
  return functions;
}

// A host function returns null when user code threw; the error itself stays on the other side.
val checked(val result) {
  if (result.isNull()) fail_with(ErrorKind::kCallback, "JavaScript code threw");
  return result;
}

// Tensors that are the core's now are read and freed; layers stay their objects'.
LayerPtr layer_from(const val& handle) { return layer_at(handle.as<LayerHandle>()); }

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

Masks take_masks(const val& handles) {
  Masks masks = masks_from(handles);
  free_tensors(handles);
  return masks;
}

// Code of a layer that belongs to no call: what it calls begins anew.
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
  set_custom_layer_factory([](const Value& serialized) -> LayerPtr {
    // Names alone cross for a class of ours.
    const Value* config = serialized.find("config");
    JsObject about;
    for (const char* key : {"class_name", "module", "registered_name", "name"}) {
      const Value* found = key == std::string_view("name") && config != nullptr
                               ? config->find(key)
                               : serialized.find(key);
      if (found != nullptr) about.set(key, to_js(*found));
    }
    const val make = host().call<val>("maker", about.value());
    if (make.isUndefined()) return nullptr;
    return layer_from(checked(checked(make)(config == nullptr ? val::object() : to_js(*config))));
  });
}

JsLayer::JsLayer(JsTraits traits) : traits_(traits) {
  supports_masking_ = traits.overrides_compute_mask;
}

Structure JsLayer::call(const Args& args, Frame& frame) {
  Args told = args;
  told.training = frame.training;
  const ScopedValue<Frame*> scope(running_frame(), &frame);
  const val result = checked(host().call<val>("call", id(), to_js(told)));
  // (Only now: the code may have called this very layer.)
  list_input_ = args.list;
  Structure made(take_tensors(property(result, "outputs")), property(result, "list").as<bool>());
  made.keys = strings_from(property(result, "keys"));
  return made;
}

RnnCell* JsLayer::as_cell() {
  if (cell_ == nullptr) {
    const val sizes = host().call<val>("cellSizes", id());
    if (sizes.isUndefined()) return nullptr;
    std::vector<std::size_t> states;
    const val given = property(checked(sizes), "states");
    for (std::size_t i = 0; i < length_of(given); ++i) {
      states.push_back(given[i].as<std::size_t>());
    }
    cell_ = std::make_unique<JsCell>(*this, std::move(states),
                                     property(sizes, "output").as<std::size_t>());
  }
  return cell_.get();
}

void JsLayer::build(const std::vector<Shape>& inputs) {
  if (as_cell() != nullptr) cell_->set_features(inputs.front().back());
  checked(call_apart("build", id(), to_js(inputs), inputs.size() > 1));
}

OutputSpecs JsLayer::output_specs(const Args& args) {
  std::vector<Shape> shapes;
  for (const Tensor& input : args.inputs) shapes.push_back(input.shape());
  const val given = call_apart("computeOutputShape", id(), to_js(shapes), args.list);
  if (given.isUndefined()) {
    Structure made;
    OutputSpecs inferred = infer_specs(args, [&](const Args& concrete) {
      Frame frame = quiet_frame();
      frame.training = args.training;
      made = call(concrete, frame);
      return made.tensors;
    });
    inferred.list = made.list;
    inferred.keys = made.keys;
    return inferred;
  }
  OutputSpecs specs;
  for (const Shape& shape : shapes_from(checked(given))) {
    specs.push_back(
        {shape, args.inputs.front().dtype() == DType::kBool ? DType::kBool : DType::kFloat32});
  }
  return specs;
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

// JavaScript reads its own settings; only the common ones are the core's.
void JsLayer::read_config(const Dict& config) {
  Dict common;
  for (const char* key : {"name", "trainable", "dtype", "input_shape", "batch_input_shape"}) {
    if (const Value* value = config.find(key)) common[key] = *value;
  }
  Layer::read_config(common);
}

Value JsLayer::registered_name() const {
  const val name = host().call<val>("registeredName", id());
  return name.isString() ? Value(name.as<std::string>()) : Value();
}

}  // namespace maskflow::bindings
