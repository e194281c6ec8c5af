// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/gemm.hpp"
#include "layer/initializer.hpp"
#include "tensor/tensor.hpp"

namespace maskflow {

// A weight. Its initializer runs only if the value is read before one is set, so that loading a
// model never computes random numbers. Matrices are packed for the product once per value.
class Variable {
 public:
  Variable(std::string name, const Shape& shape, Initializer initializer, bool trainable,
           DType dtype = DType::kFloat32)
      : name_(std::move(name)),
        shape_(shape),
        dtype_(dtype),
        initializer_(std::move(initializer)),
        is_parameter_(trainable),
        trainable_(trainable) {}

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] DType dtype() const { return dtype_; }
  // Returns whether the weight was created as trainable. Statistics are not; they stay as they are
  // when their layer is frozen or trained again.
  [[nodiscard]] bool is_parameter() const { return is_parameter_; }
  // Returns whether training changes the weight now.
  [[nodiscard]] bool trainable() const { return trainable_; }
  void set_trainable(bool trainable) { trainable_ = trainable && is_parameter_; }
  [[nodiscard]] const Tensor& value() const;
  [[nodiscard]] const float* data() const { return value().floats(); }
  // Sets the value, cast to the dtype of the weight. Unshared storage is moved, other storage is
  // copied. Throws ShapeError for another shape.
  void set_value(Tensor value);
  // The value, to be changed in place. Tensors that share its storage keep the old numbers, and
  // packed forms are dropped.
  [[nodiscard]] Tensor& writable();
  void free_value();
  // Changes with every write. Keep it with anything computed from the value.
  [[nodiscard]] const Version& version() const {
    return floats_ == nullptr ? value().storage()->version() : forms_version_;
  }

  // How the layer uses the weight: it reads the value, multiplies by matrices of it, or looks up
  // its rows. Only matrices and rows can be kept in another form than floats.
  enum class Use : std::uint8_t { kValue, kMatrices, kRows };
  [[nodiscard]] Use use() const { return use_; }
  void use_rows() { use_ = Use::kRows; }
  // Registers the matrices, which must cover the whole value.
  void use_matrices(std::vector<kernels::MatrixPlace> places);
  // Registers the whole value as one matrix, whose columns are the last axis.
  void use_matrix();
  [[nodiscard]] const std::vector<kernels::MatrixPlace>& matrices() const { return places_; }
  // Returns a matrix, packed for multiplication.
  const kernels::PackedMatrix& packed(std::size_t index = 0) const;
  [[nodiscard]] Table table() const { return table_.buffer ? table_ : value().table(); }

  // Keep the matrices or the rows in another form only, until set_value(). value() computes floats
  // again and keeps them.
  void set_forms(const std::vector<std::shared_ptr<const kernels::MatrixForm>>& forms);
  void set_table(Table table);
  // Returns the value. Floats that must be computed for this are not kept.
  [[nodiscard]] Tensor read() const {
    return value_.empty_handle() && floats_ ? floats_(*this) : value();
  }

 private:
  std::string name_;
  Shape shape_;
  DType dtype_;
  Initializer initializer_;
  bool is_parameter_;
  bool trainable_;
  void drop_forms();
  static Tensor unpacked(const Variable& variable);
  static Tensor looked_up(const Variable& variable);
  Use use_ = Use::kValue;
  std::vector<kernels::MatrixPlace> places_;
  mutable Tensor value_;
  mutable std::unique_ptr<kernels::PackedMatrix[]> packed_;
  mutable Version packed_from_;  // Version of the floats that were packed.
  Version forms_version_;        // Version of the value while it has another form than floats.
  Table table_;  // Rows in another form than floats; without a buffer, the rows are floats.
  // Computes floats from another form. A function pointer, so that a module without other forms
  // does not link this code.
  Tensor (*floats_)(const Variable&) = nullptr;
};

using VariablePtr = std::shared_ptr<Variable>;

}  // namespace maskflow
