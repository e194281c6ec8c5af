// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "base/value.hpp"
#include "kernels/activation.hpp"
#include "tensor/tensor.hpp"

namespace maskflow {

// One of Keras's activation functions, as a setting of a layer.
class Activation {
 public:
  explicit Activation(std::string_view name = "linear");
  // null: linear; a name or alias; or {"class_name", "config"} as Keras serializes functions and
  // the activation layers. ConfigError for others.
  static Activation from_config(const Value& config);
  [[nodiscard]] Value config() const;
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool is_pointwise() const { return function_->pointwise != nullptr; }
  [[nodiscard]] const kernels::ActivationParameters& parameters() const { return parameters_; }
  // A function of a whole axis takes the last one.
  [[nodiscard]] Tensor operator()(const Tensor& x) const;
  // In place over `count` rows of `width` values.
  void apply(float* rows, std::size_t count, std::size_t width) const;

 private:
  std::string name_;
  const kernels::ActivationFunction* function_;
  kernels::ActivationParameters parameters_;
};

class OpAttributes;
// The numbers of a call of one of these functions as an op; its `kernel` is the function.
[[nodiscard]] kernels::ActivationParameters parameters_of(const OpAttributes& attributes);

// By Keras's name; null when there is none.
[[nodiscard]] const kernels::ActivationFunction* find_activation(std::string_view name);

}  // namespace maskflow
