// SPDX-License-Identifier: MIT
// What JavaScript can call of differentiation.
#include <emscripten/bind.h>

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

EMSCRIPTEN_BINDINGS(maskflow_training) {
  using emscripten::function;
  function("differentiate", &differentiate);
}

}  // namespace
}  // namespace maskflow::bindings
