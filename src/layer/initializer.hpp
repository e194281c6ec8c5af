// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/value.hpp"
#include "tensor/tensor.hpp"

namespace maskflow {

// Creates the first value of a weight: one of Keras's initializers with its settings. The
// distributions are those of Keras; the random numbers differ.
class Initializer {
 public:
  explicit Initializer(std::string name = "zeros");
  // Reads a name ("glorot_uniform", "GlorotUniform") or {"class_name": ..., "config": {...}}. An
  // unknown class is an error only when a value is needed.
  static Initializer from_config(const Value& config);
  [[nodiscard]] Value config() const;
  [[nodiscard]] const std::string& class_name() const { return class_name_; }
  // Returns this initializer with ones at `count` elements from `first` on, for the bias of a
  // forget gate.
  [[nodiscard]] Initializer with_ones(int first, int count) const;
  [[nodiscard]] Tensor operator()(const Shape& shape, DType dtype = DType::kFloat32) const;

 private:
  [[nodiscard]] Tensor create(const Shape& shape, DType dtype) const;
  std::string class_name_;
  Dict settings_;
  Value unknown_;  // Configuration of an unknown class, or null.
  int first_one_ = 0;
  int ones_ = 0;
};

}  // namespace maskflow
