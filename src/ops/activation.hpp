// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "base/value.hpp"
#include "kernels/activation.hpp"
#include "ops/custom_function.hpp"
#include "tensor/tensor.hpp"

namespace maskflow {

// The activation of a layer: one of Keras's functions, or a custom function.
class Activation {
 public:
  explicit Activation(std::string_view name = "linear");
  // Accepts null (linear), a name or alias, and {"class_name", "config"}, as Keras serializes
  // functions and activation layers. Throws ConfigError for anything else.
  static Activation from_config(const Value& config);
  [[nodiscard]] Value config() const;
  [[nodiscard]] const std::string& name() const { return name_; }
  // Whether it is a custom function.
  [[nodiscard]] bool is_custom() const { return !custom_.empty(); }
  [[nodiscard]] bool is_pointwise() const { return function_->pointwise != nullptr; }
  [[nodiscard]] const kernels::ActivationParameters& parameters() const { return parameters_; }
  // Applies the function. Functions of rows use the last axis; a custom function sees the shape.
  [[nodiscard]] Tensor operator()(const Tensor& x) const;
  // Changes `count` rows of `width` values in place.
  void apply(float* rows, std::size_t count, std::size_t width) const;
  // Changes rows that begin `stride` values apart. A custom function is called once, on all rows.
  void apply(float* rows, std::size_t count, std::size_t width, std::size_t stride) const;

 private:
  std::string name_;
  const kernels::ActivationFunction* function_;
  kernels::ActivationParameters parameters_;
  CustomFunction custom_;
};

class OpAttributes;
// Returns the parameters of a call of an activation op, whose `kernel` is the function.
[[nodiscard]] kernels::ActivationParameters parameters_of(const OpAttributes& attributes);

// Returns the function with Keras's name or alias; null if there is none.
[[nodiscard]] const kernels::ActivationFunction* find_activation(std::string_view name);

}  // namespace maskflow
