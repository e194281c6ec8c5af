// SPDX-License-Identifier: MIT
// Makes a function of the core callable from JavaScript: `bind<&layer_weights>("layerWeights")`
// converts the arguments and the result by their types and guards the call.
#pragma once

#include <emscripten/bind.h>

#include "boundary.hpp"
#include "held_layers.hpp"

namespace maskflow::bindings {

// How a parameter of type T crosses: as a value of the type Wire, which `from` converts. Numbers,
// strings and val cross as they are.
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
// The layer lives until the function has returned, even if user code disposes of it.
template <>
struct Parameter<const LayerPtr&> {
  using Wire = LayerHandle;
  static LayerPtr from(LayerHandle handle) { return layer_at(handle); }
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

template <auto function>
struct Bound;
template <class Result, class... T, Result (*function)(T...)>
struct Bound<function> {
  // A function without a result returns true; `undefined` stands for an error.
  static val call(typename Parameter<T>::Wire... wires) {
    return guarded([&] {
      if constexpr (std::is_void_v<Result>) {
        function(Parameter<T>::from(wires)...);
        return val(true);
      } else {
        return result_to_js(function(Parameter<T>::from(wires)...));
      }
    });
  }
};

template <auto function>
void bind(const char* name) {
  emscripten::function(name, &Bound<function>::call);
}

}  // namespace maskflow::bindings
