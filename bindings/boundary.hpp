// SPDX-License-Identifier: MIT
// Conversions between values of JavaScript and of the core, and the guard that keeps C++ exceptions
// inside.
#pragma once

#include <emscripten/val.h>

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "base/function_ref.hpp"
#include "js_value.hpp"
#include "layer/layer.hpp"
#include "model/model.hpp"

namespace maskflow::bindings {

// A tensor crosses as the address of a Tensor on the heap that JavaScript owns. It is a plain
// number, because objects of Embind cost more than a small model computes.
using TensorHandle = std::uintptr_t;

// The error that lastError() reports; guarded() sets it.
struct LastError {
  ErrorKind kind = ErrorKind::kNone;
  std::string message;
};
LastError& last_error();

// Runs f and returns its result. A C++ exception becomes `undefined` and the last error: an
// exception that crossed into JavaScript would leave the wasm stack pointer where it was.
[[nodiscard]] val guarded(FunctionRef<val()> f);
// Runs an f that returns a handle; a C++ exception becomes 0 and the last error.
[[nodiscard]] TensorHandle guarded_handle(FunctionRef<TensorHandle()> f);
// Number of guarded calls that are running. User code that the core runs makes nested calls.
[[nodiscard]] int calls_running();
// The frame of the JavaScript code that the core is running; null outside such code. Layers that
// the code calls belong to the frame's call; a prediction is a call of its own.
[[nodiscard]] Frame*& running_frame();
// Throws the error that stands for an exception of JavaScript code; the caller has kept that one.
[[noreturn]] void callback_error();

// Moves a value to the heap and returns its address. JavaScript owns the value and frees it.
template <class T>
[[nodiscard]] std::uintptr_t give(T value) {
  return reinterpret_cast<std::uintptr_t>(std::make_unique<T>(std::move(value)).release());
}
template <class T>
void free_given(std::uintptr_t address) {
  const std::unique_ptr<T> value(reinterpret_cast<T*>(address));
}

[[nodiscard]] TensorHandle give_tensor(Tensor tensor);
[[nodiscard]] Tensor& tensor_at(TensorHandle handle);
void free_tensor(TensorHandle handle);

[[nodiscard]] val to_js(Tensor tensor);
[[nodiscard]] val to_js(const Tensors& tensors);
[[nodiscard]] val to_js(const MaskPtr& mask);  // Returns a tensor handle or null.
[[nodiscard]] val to_js(const Masks& masks);
[[nodiscard]] val to_js(const LayerPtr& layer);
[[nodiscard]] val to_js(const Value& value);
[[nodiscard]] val to_js(const Shape& shape);  // Unknown dimensions become null.
[[nodiscard]] val to_js(const std::vector<Shape>& shapes);
[[nodiscard]] val to_js(const std::vector<std::string>& strings);
[[nodiscard]] val to_js(const Args& args);
[[nodiscard]] val to_js(const Structure& result);
[[nodiscard]] inline val to_js(const std::optional<bool>& flag) {
  return flag ? val(*flag) : val::null();
}

// A property of an object for JavaScript: `object_of(Field{"name", name}, Field{"shape", shape})`.
template <class T>
struct Field {
  const char* name;
  const T& value;
};
template <class T>
Field(const char*, const T&) -> Field<T>;

template <class T>
void set_field(JsObject& object, const Field<T>& field) {
  if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::string> ||
                std::is_convertible_v<const T&, const val&>) {
    object.set(field.name, field.value);
  } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
    object.set(field.name, static_cast<double>(field.value));
  } else {
    object.set(field.name, to_js(field.value));
  }
}
// Always inlined, because each call would otherwise write all fields to memory.
template <class... T>
[[nodiscard, gnu::always_inline]] inline JsObject object_of(const Field<T>&... fields) {
  JsObject object;
  (set_field(object, fields), ...);
  return object;
}

[[nodiscard]] Tensor tensor_from(const val& handle);
[[nodiscard]] Tensors tensors_from(const val& handles);
[[nodiscard]] MaskPtr mask_from(const val& handle);  // null and undefined stand for no mask.
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
