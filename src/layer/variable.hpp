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
  [[nodiscard]] const float* data() const { return value().floats(); }
  // ShapeError naming both shapes; casts int32 and bool to float32 and back. Storage that nobody
  // else has is taken over, other is copied.
  void set_value(Tensor value);
  // The value, to be changed in place: nobody else sees it change, and what was made of it is gone.
  [[nodiscard]] Tensor& writable();
  // Frees the value.
  void give_back();
  // Changes with every write: keep it with anything computed from the value.
  [[nodiscard]] const Version& version() const {
    return floats_ == nullptr ? value().storage()->version() : forms_version_;
  }

  // What its layer does with it: reads the value, multiplies with matrices of it, or looks rows up.
  // Only the latter two can be kept in another form than floats.
  enum class Use : std::uint8_t { kValue, kMatrices, kRows };
  [[nodiscard]] Use use() const { return use_; }
  void use_rows() { use_ = Use::kRows; }
  // Together they must be all of the value.
  void use_matrices(std::vector<kernels::MatrixPlace> places);
  // One matrix, whose columns are the last axis.
  void use_matrix();
  [[nodiscard]] const std::vector<kernels::MatrixPlace>& matrices() const { return places_; }
  // A matrix, packed for multiplication.
  const kernels::PackedMatrix& packed(std::size_t index = 0) const;
  [[nodiscard]] Table table() const { return table_.buffer ? table_ : value().table(); }

  // These keep the matrices or the rows in another form alone; set_value() ends that. value() makes
  // floats again, which are kept from then on.
  void set_forms(const std::vector<std::shared_ptr<const kernels::MatrixForm>>& forms);
  void set_table(Table table);
  // The value, without keeping floats that are not there.
  [[nodiscard]] Tensor read() const {
    return value_.empty_handle() && floats_ ? floats_(*this) : value();
  }

 private:
  std::string name_;
  Shape shape_;
  DType dtype_;
  Initializer initializer_;
  bool trainable_;
  void drop_forms();
  static Tensor unpacked(const Variable& variable);
  static Tensor looked_up(const Variable& variable);
  Use use_ = Use::kValue;
  std::vector<kernels::MatrixPlace> places_;
  mutable Tensor value_;
  mutable std::unique_ptr<kernels::PackedMatrix[]> packed_;
  mutable Version packed_from_;  // the version of the floats that were packed
  Version forms_version_;        // the version while the value has another form than floats
  Table table_;                  // has a buffer while rows are not floats
  // Makes floats of another form. (Called by its address, so that a module without other forms has
  // none of this.)
  Tensor (*floats_)(const Variable&) = nullptr;
};

using VariablePtr = std::shared_ptr<Variable>;

}  // namespace maskflow
