// SPDX-License-Identifier: MIT
// Custom functions, which users write in JavaScript, as settings of layers: activations,
// initializers, constraints.
#pragma once

#include <string>

#include "base/value.hpp"
#include "tensor/tensor.hpp"

namespace maskflow {

// How the core calls such functions. Bindings set both, JavaScript knows the functions by id.
struct CustomFunctionHost {
  Tensor (*apply)(const std::string& id, const Tensor& x) = nullptr;
  Tensor (*create)(const std::string& id, const Shape& shape, DType dtype) = nullptr;
};
inline CustomFunctionHost custom_function_host;

// A function as Keras serializes it, {"class_name": "function", "config": its name}, with the key
// "function_id" that JavaScript adds.
class CustomFunction {
 public:
  CustomFunction() = default;
  // Returns an empty object for a config without the id.
  static CustomFunction from_config(const Value& config);

  [[nodiscard]] bool empty() const { return id_.empty(); }
  [[nodiscard]] const Value& config() const { return config_; }
  // Returns the result for a tensor, as float32. Throws ShapeError if it has another shape.
  [[nodiscard]] Tensor operator()(const Tensor& x) const;
  // Returns the first value of a weight. Throws ShapeError if it has another shape.
  [[nodiscard]] Tensor create(const Shape& shape, DType dtype) const;

 private:
  [[nodiscard]] Tensor checked(Tensor result, const Shape& shape, DType dtype) const;

  Value config_;
  std::string id_;
};

}  // namespace maskflow
