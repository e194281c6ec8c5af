// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/value.hpp"
#include "tensor/tensor.hpp"

namespace maskflow {

// How a weight starts: one of Keras's initializers by name with its settings. The distributions are
// Keras's, the random numbers are not.
class Initializer {
 public:
  explicit Initializer(std::string name = "zeros");
  // A name ("glorot_uniform", "GlorotUniform") or {"class_name": ..., "config": {...}}. A class
  // that is not known is an error when it has to give a value.
  static Initializer from_config(const Value& config);
  [[nodiscard]] Value config() const;
  [[nodiscard]] const std::string& class_name() const { return class_name_; }
  // The same with ones at `count` elements from `first` on: the bias of a forget gate.
  [[nodiscard]] Initializer with_ones(int first, int count) const;
  [[nodiscard]] Tensor operator()(const Shape& shape, DType dtype = DType::kFloat32) const;

 private:
  [[nodiscard]] Tensor start(const Shape& shape, DType dtype) const;
  std::string class_name_;
  Dict settings_;
  Value unknown_;  // the configuration of a class that is not known
  int first_one_ = 0;
  int ones_ = 0;
};

}  // namespace maskflow
