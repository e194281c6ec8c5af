// SPDX-License-Identifier: MIT
// The functions that every prediction calls. Arguments and results are numbers, so they need no
// Embind, whose calls cost more time than a small model. web/src/engine/native.ts documents them.
#include "fast_exports.hpp"

#include <emscripten/emscripten.h>

#include "base/scoped_value.hpp"
#include "exchange.hpp"

namespace maskflow::bindings {
namespace {

// Returned in place of a handle if the result is not a single tensor; `model_predicted` then
// returns the result. No tensor has this address.
constexpr TensorHandle kOtherResult = 1;

val& other_result() {
  static val result = val::undefined();
  return result;
}

TensorHandle predict_one(Layer& model, TensorHandle input, int batch_size) {
  // User code that runs meanwhile may dispose of the model, or call other models.
  const LayerPtr owner = model.shared_from_this();
  const ScopedValue<Frame*> scope(running_frame(), nullptr);
  Args args;
  args.inputs.push_back(tensor_at(input));
  Structure result = predict(model, args, batch_size);
  const Tensors& outputs = result.tensors;
  result.list = result.list || outputs.size() != 1;
  if (result.list || !result.keys.empty() || outputs.front().is_symbolic()) {
    other_result() = to_js(result);
    return kOtherResult;
  }
  return give_with_exchange(outputs.front());
}

}  // namespace

val model_predicted() { return std::exchange(other_result(), val::undefined()); }

extern "C" {

EMSCRIPTEN_KEEPALIVE TensorHandle tensor_make() {
  return guarded_handle([] { return give_tensor(tensor_from_exchange()); });
}

EMSCRIPTEN_KEEPALIVE TensorHandle tensor_share(TensorHandle handle) {
  return guarded_handle([&] { return give_tensor(tensor_at(handle)); });
}

EMSCRIPTEN_KEEPALIVE void tensor_free(TensorHandle handle) { free_tensor(handle); }

EMSCRIPTEN_KEEPALIVE TensorHandle predict_one_at(Layer* model, TensorHandle input, int batch_size) {
  return guarded_handle([&] { return predict_one(*model, input, batch_size); });
}
}

}  // namespace maskflow::bindings
