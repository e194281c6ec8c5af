// SPDX-License-Identifier: MIT
// What JavaScript can call of differentiation.
#include <emscripten/bind.h>

#include <algorithm>
#include <cmath>

#include "base/scoped_value.hpp"
#include "held_layers.hpp"
#include "ops/tape.hpp"
#include "training/recorder.hpp"

namespace maskflow::bindings {
namespace {

// Runs JavaScript that gives the handle of a number, and differentiates it with respect to `of`.
val differentiate(const val& of, const val& run) {
  return guarded([&] {
    const Tensors variables = tensors_from(of);
    // (What `predict` computes meanwhile is a constant.)
    Tape tape([] { return running_frame() != nullptr && running_frame()->observer != nullptr; });
    for (const Tensor& variable : variables) tape.watch(variable);
    Recorder recorder(tape);
    Frame frame;
    frame.observer = &recorder;
    Tensor value;
    {
      const ScopedValue<Frame*> scope(running_frame(), &frame);
      const val handle = run();
      if (handle.isNull()) fail_with(ErrorKind::kCallback, "JavaScript code threw");
      value = tensor_from(handle);
    }
    JsList gradients;
    for (const Tensor& gradient : tape.gradients(value, variables)) {
      gradients.push(gradient.empty_handle() ? val::null() : to_js(gradient));
    }
    return gradients;
  });
}

// A weight as the one of its layer's own, and its path in Keras: without the names of functional
// models, whose layers are built before they are there.
struct OwnWeight {
  LayerPtr owner;
  std::ptrdiff_t index;
  std::string path;
};

std::optional<OwnWeight> find_owner(const LayerPtr& layer, const VariablePtr& variable,
                                    std::string path) {
  layer->ensure_name();
  if (layer->kind() != "functional") path += layer->name() + "/";
  const std::vector<VariablePtr>& own = layer->own_weights();
  const auto place = std::ranges::find(own, variable);
  if (place != own.end()) return {{layer, place - own.begin(), path + variable->name()}};
  for (const LayerPtr& inner : layer->sublayers()) {
    if (auto found = find_owner(inner, variable, path)) return found;
  }
  return std::nullopt;
}

// Of each weight of a layer, in their order: whose own it is, where among those, and its path.
val layer_variables(LayerHandle handle) {
  return with_layer(handle, [](const LayerPtr& layer) {
    JsList list;
    for (const Layer::Weight& weight : layer->weights()) {
      const std::optional<OwnWeight> found = find_owner(layer, weight.variable, "");
      if (!found) continue;
      JsObject entry;
      entry.set("layer", to_js(found->owner));
      entry.set("index", static_cast<int>(found->index));
      entry.set("path", found->path);
      list.push(entry);
    }
    return list;
  });
}

bool has_nan(const Tensor& tensor) {
  if (tensor.dtype() != DType::kFloat32) return false;
  return std::ranges::any_of(tensor.data<float>(), [](float x) { return std::isnan(x); });
}

// The first layer that makes a NaN of inputs without one.
class NanWatch final : public Observer {
 public:
  void layer_ends(const LayerCall& call, const Structure& result) override {
    if (name.empty() && std::ranges::any_of(result.tensors, has_nan)) name = call.layer.name();
  }
  std::string name;
};

// Its name; empty where none is found. The model is called in training mode.
val first_nan(LayerHandle handle, const val& args) {
  return with_layer(handle, [&](const LayerPtr& layer) {
    NanWatch watch;
    Frame frame;
    frame.training = true;
    frame.observer = &watch;
    static_cast<void>(layer->run(args_from(args), frame));
    return val(watch.name);
  });
}

EMSCRIPTEN_BINDINGS(maskflow_training) {
  using emscripten::function;
  function("layerVariables", &layer_variables);
  function("differentiate", &differentiate);
  function("firstNan", &first_nan);
}

}  // namespace
}  // namespace maskflow::bindings
