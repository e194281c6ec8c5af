// SPDX-License-Identifier: MIT
// What JavaScript can call of differentiation.
#include <emscripten/bind.h>

#include <algorithm>

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
    Tape tape;
    for (const Tensor& variable : variables) tape.watch(variable);
    Recorder recorder(tape);
    Frame frame;
    frame.observer = &recorder;
    Tensor value;
    {
      const ScopedValue<Frame*> scope(running_frame(), &frame);
      const val handle = run();
      if (handle.isNull()) fail(ErrorKind::kCallback, {"JavaScript code threw"});
      value = tensor_from(handle);
    }
    val gradients = val::array();
    for (const Tensor& gradient : tape.gradients(value, variables)) {
      gradients.call<void>("push", gradient.empty_handle() ? val::null() : to_js(gradient));
    }
    return gradients;
  });
}

// Gives `found` the layer that has the variable, itself or inside, and which of its own it is.
bool find_owner(const LayerPtr& layer, const VariablePtr& variable,
                FunctionRef<void(const LayerPtr&, std::ptrdiff_t)> found) {
  const std::vector<VariablePtr>& own = layer->own_weights();
  const auto place = std::ranges::find(own, variable);
  if (place != own.end()) {
    found(layer, place - own.begin());
    return true;
  }
  return std::ranges::any_of(layer->sublayers(), [&](const LayerPtr& inner) {
    return find_owner(inner, variable, found);
  });
}

// Of each weight of a layer, in their order: whose own it is, and where among those.
val layer_variables(LayerHandle handle) {
  return with_layer(handle, [](const LayerPtr& layer) {
    val list = val::array();
    for (const Layer::Weight& weight : layer->weights()) {
      find_owner(layer, weight.variable, [&](const LayerPtr& owner, std::ptrdiff_t index) {
        val entry = val::object();
        entry.set("layer", to_js(owner));
        entry.set("index", static_cast<int>(index));
        list.call<void>("push", entry);
      });
    }
    return list;
  });
}

EMSCRIPTEN_BINDINGS(maskflow_training) {
  using emscripten::function;
  function("layerVariables", &layer_variables);
  function("differentiate", &differentiate);
}

}  // namespace
}  // namespace maskflow::bindings
