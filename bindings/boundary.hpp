// SPDX-License-Identifier: MIT
// Conversions between JavaScript values and the core's, and the guard that keeps C++ exceptions
// inside.
#pragma once

#include <emscripten/val.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/function_ref.hpp"
#include "js_value.hpp"
#include "layer/layer.hpp"
#include "model/model.hpp"

namespace maskflow::bindings {

// A tensor crosses as the address of one of JavaScript's own on the heap, a plain number: objects
// of Embind cost more than a small model computes.
using TensorHandle = std::uintptr_t;

// What lastError() reports; set by guarded().
struct LastError {
  ErrorKind kind = ErrorKind::kNone;
  std::string message;
};
LastError& last_error();

// Runs f and returns its result; a C++ exception becomes `undefined` and a last error. (An
// exception that crossed into JavaScript would leave the wasm stack where it was.)
[[nodiscard]] val guarded(FunctionRef<val()> f);
// The same for f that gives a handle: 0 in place of `undefined`.
[[nodiscard]] TensorHandle guarded_handle(FunctionRef<TensorHandle()> f);
// How many guarded calls are running, one inside the other by way of user code.
[[nodiscard]] int calls_running();
// The frame of the JavaScript code that the core is running; null where JavaScript began. What that
// code calls layer by layer belongs to the call; a prediction is a call of its own.
[[nodiscard]] Frame*& running_frame();

[[nodiscard]] TensorHandle give(Tensor tensor);  // JavaScript frees it
[[nodiscard]] Tensor& tensor_at(TensorHandle handle);
void free_tensor(TensorHandle handle);

[[nodiscard]] val to_js(Tensor tensor);
[[nodiscard]] val to_js(const Tensors& tensors);
[[nodiscard]] val to_js(const MaskPtr& mask);  // a tensor handle or null
[[nodiscard]] val to_js(const Masks& masks);
[[nodiscard]] val to_js(const LayerPtr& layer);
[[nodiscard]] val to_js(const Value& value);
[[nodiscard]] val to_js(const Shape& shape);  // null for unknown
[[nodiscard]] val to_js(const std::vector<Shape>& shapes);
[[nodiscard]] val to_js(const Args& args);
[[nodiscard]] val to_js(const Structure& result);

[[nodiscard]] Tensor tensor_from(const val& handle);
[[nodiscard]] Tensors tensors_from(const val& handles);
[[nodiscard]] MaskPtr mask_from(const val& handle);  // null and undefined: no mask
[[nodiscard]] Masks masks_from(const val& handles);
[[nodiscard]] Value value_from(const val& value);
[[nodiscard]] Dict dict_from(const val& value);
[[nodiscard]] Shape shape_from(const val& value);
[[nodiscard]] std::vector<Shape> shapes_from(const val& value);
[[nodiscard]] Args args_from(const val& value);
[[nodiscard]] std::vector<std::string> strings_from(const val& array);

[[nodiscard]] inline bool is_missing(const val& value) {
  return value.isNull() || value.isUndefined();
}
[[nodiscard]] std::size_t length_of(const val& array);

}  // namespace maskflow::bindings
