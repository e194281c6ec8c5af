// SPDX-License-Identifier: MIT
// Makes a function of the core callable from JavaScript: `bind<&layer_weights>("layerWeights")`
// converts the arguments and the result by their types and guards the call.
#pragma once

#include <emscripten/bind.h>

#include "boundary.hpp"
#include "held_layers.hpp"

namespace maskflow::bindings {

// Conversion of a parameter of type T: JavaScript passes a value of the type Wire, which `from`
// converts. Numbers, strings and val need no conversion.
template <class T>
struct Parameter {
  using Wire = T;
  static T from(T wire) { return wire; }
};

template <auto convert>
struct ConvertedParameter {
  using Wire = const val&;
  static auto from(const val& wire) { return convert(wire); }
};
template <>
struct Parameter<const Args&> : ConvertedParameter<&args_from> {};
template <>
struct Parameter<const Dict&> : ConvertedParameter<&dict_from> {};
template <>
struct Parameter<const Masks&> : ConvertedParameter<&masks_from> {};
template <>
struct Parameter<const Tensors&> : ConvertedParameter<&tensors_from> {};
template <>
struct Parameter<const Value&> : ConvertedParameter<&value_from> {};
template <>
struct Parameter<const std::vector<Shape>&> : ConvertedParameter<&shapes_from> {};
template <>
struct Parameter<const std::vector<std::string>&> : ConvertedParameter<&strings_from> {};

template <>
struct Parameter<Tensor&> {
  using Wire = TensorHandle;
  static Tensor& from(TensorHandle handle) { return tensor_at(handle); }
};
template <>
struct Parameter<const LayerPtr&> {
  using Wire = LayerHandle;
  static LayerPtr from(LayerHandle handle) { return layer_at(handle); }
};

// Conversion of a first parameter of type T that an object in JavaScript owns: `run` guards a call
// with the object of the handle. It is one function for all bindings, because this code in each
// would cost bytes.
template <class T>
struct Receiver;
template <>
struct Receiver<const LayerPtr&> {
  using Wire = LayerHandle;
  static val run(LayerHandle handle, FunctionRef<val(const LayerPtr&)> f) {
    return with_layer(handle, f);
  }
};

template <class T>
[[nodiscard]] val result_to_js(T&& result) {
  using Result = std::remove_cvref_t<T>;
  if constexpr (std::is_convertible_v<const Result&, const val&>) {
    return result;
  } else if constexpr (std::is_arithmetic_v<Result> || std::is_same_v<Result, std::string>) {
    return val(result);
  } else {
    return to_js(std::forward<T>(result));
  }
}

// Calls a function and converts its result. A function without a result returns true, because
// `undefined` stands for an error.
template <auto function, class... T>
[[nodiscard]] val call_with(T&&... arguments) {
  if constexpr (std::is_void_v<decltype(function(std::forward<T>(arguments)...))>) {
    function(std::forward<T>(arguments)...);
    return val(true);
  } else {
    return result_to_js(function(std::forward<T>(arguments)...));
  }
}

template <auto function>
struct Bound;
template <class Result, class... T, Result (*function)(T...)>
struct Bound<function> {
  static val call(typename Parameter<T>::Wire... wires) {
    return guarded([&] { return call_with<function>(Parameter<T>::from(wires)...); });
  }
};
template <class Result, class Object, class... T, Result (*function)(Object, T...)>
  requires requires { typename Receiver<Object>::Wire; }
struct Bound<function> {
  static val call(typename Receiver<Object>::Wire handle, typename Parameter<T>::Wire... wires) {
    return Receiver<Object>::run(handle, [&](Object object) {
      return call_with<function>(object, Parameter<T>::from(wires)...);
    });
  }
};

template <auto function>
void bind(const char* name) {
  emscripten::function(name, &Bound<function>::call);
}

}  // namespace maskflow::bindings
