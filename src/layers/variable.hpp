// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "kernels/gemm.hpp"
#include "layers/initializer.hpp"
#include "tensor/tensor.hpp"

namespace maskflow {

// A weight. Its initializer runs only when the value is read before one was set, so that loading a
// model never pays for random numbers. Packed forms for the matrix product are made once per value.
class Variable {
 public:
  Variable(std::string name, const Shape& shape, Initializer initializer, bool trainable,
           DType dtype = DType::kFloat32)
      : name_(std::move(name)),
        shape_(shape),
        dtype_(dtype),
        initializer_(std::move(initializer)),
        trainable_(trainable) {}

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] DType dtype() const { return dtype_; }
  [[nodiscard]] bool trainable() const { return trainable_; }
  [[nodiscard]] const Tensor& value() const;
  [[nodiscard]] const float* data() const { return value().data<float>().data(); }
  // ShapeError naming both shapes; casts int32 and bool to float32 and back.
  void set_value(const Tensor& value);
  // Changes with every value that is set: for those who keep what they made of the value. (Its
  // address would not do: a new value may lie where an old one was.)
  [[nodiscard]] std::uint64_t version() const { return version_; }
  // The value as a matrix whose columns are its last axis, packed for multiplication.
  const kernels::PackedMatrix& packed() const;
  // Keeps the matrix in this form alone. value() makes floats of it again, which are kept from then
  // on.
  void set_form(std::shared_ptr<const kernels::MatrixForm> form);
  // Of what is kept now.
  [[nodiscard]] const kernels::MatrixForm* form() const {
    return packed_ ? packed_->form() : nullptr;
  }

 private:
  std::string name_;
  Shape shape_;
  DType dtype_;
  Initializer initializer_;
  bool trainable_;
  std::uint64_t version_ = 1;
  mutable Tensor value_;
  mutable std::optional<kernels::PackedMatrix> packed_;
};

using VariablePtr = std::shared_ptr<Variable>;

}  // namespace maskflow
