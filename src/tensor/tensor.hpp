// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tensor/buffer.hpp"
#include "tensor/dtype.hpp"
#include "tensor/shape.hpp"

namespace maskflow {

class Mask;
using MaskPtr = std::shared_ptr<const Mask>;  // Null stands for no mask.
class Symbol;                                 // The origin of a symbolic tensor; see ops/node.hpp.
using SymbolPtr = std::shared_ptr<const Symbol>;

// Shape and dtype of a tensor, which are known before its data.
struct TensorSpec {
  Shape shape;
  DType dtype = DType::kFloat32;
};

// Returns the number of elements of such a tensor. Throws StateError if it would exceed the memory
// limit.
[[nodiscard]] std::size_t elements_that_fit(DType dtype, const Shape& shape);

// An array of numbers: dtype, shape, contiguous row-major storage, and an optional mask. Copies
// share the storage. A symbolic tensor has an origin in a graph instead of storage, and some of its
// dimensions may be kUnknown.
class Tensor {
 public:
  Tensor();
  Tensor(DType dtype, const Shape& shape);  // uninitialised storage
  // Defined in tensor.cpp, because they would be a third of the module if they were inlined at
  // every copy of a tensor.
  Tensor(const Tensor& other);
  Tensor(Tensor&& other) noexcept;
  Tensor& operator=(const Tensor& other);
  Tensor& operator=(Tensor&& other) noexcept;
  ~Tensor();
  static Tensor zeros(DType dtype, const Shape& shape);
  static Tensor full(DType dtype, const Shape& shape, double value);
  static Tensor scalar(DType dtype, double value) { return full(dtype, {}, value); }
  // Returns a table of floats as a tensor that shares its storage.
  static Tensor of_table(const Table& table, const Shape& shape);
  // Returns the rows of a table with these indices, which are looked up when they are first read.
  // `shape` is the shape of the result; its last axis is a row.
  static Tensor looked_up(const Table& table, std::vector<std::int32_t> rows, const Shape& shape);
  static Tensor symbolic(TensorSpec spec, SymbolPtr origin);
  template <class T>
  static Tensor from(const Shape& shape, std::span<const T> values);

  [[nodiscard]] DType dtype() const { return spec_.dtype; }
  [[nodiscard]] const Shape& shape() const { return spec_.shape; }
  [[nodiscard]] const TensorSpec& spec() const { return spec_; }
  [[nodiscard]] int rank() const { return spec_.shape.rank(); }
  // Returns the number of elements; 0 for a symbolic tensor.
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t bytes() const { return size_ * size_of(dtype()); }
  [[nodiscard]] bool is_symbolic() const { return origin_ != nullptr; }
  [[nodiscard]] const SymbolPtr& origin() const { return origin_; }
  // Returns whether it was default-constructed, which represents an absent tensor.
  [[nodiscard]] bool empty_handle() const { return buffer_ == nullptr && origin_ == nullptr; }

  // Returns the elements. T must be the C++ type of dtype(): float, int32_t or uint8_t. Throws
  // StateError for a symbolic tensor, which has no data.
  template <class T>
  [[nodiscard]] std::span<const T> data() const;
  template <class T>
  [[nodiscard]] std::span<T> mutable_data();
  // Returns the address of a float32 tensor's elements; throws as data() does.
  [[nodiscard]] const float* floats() const { return data<float>().data(); }
  [[nodiscard]] float* mutable_floats() { return mutable_data<float>().data(); }
  [[nodiscard]] const std::byte* raw() const { return buffer_ ? buffer_->data() : nullptr; }
  [[nodiscard]] std::byte* mutable_raw() { return buffer_ ? buffer_->mutable_data() : nullptr; }

  // Returns the rows from which the numbers will be looked up; null once they have been read.
  [[nodiscard]] const Lookup* lookup() const { return buffer_ ? buffer_->lookup() : nullptr; }
  // Returns this float32 tensor as a table for lookups, whose rows are its last axis.
  [[nodiscard]] Table table() const;

  // Returns the storage. Tensors that share it are one variable for differentiation.
  [[nodiscard]] const std::shared_ptr<Buffer>& storage() const { return buffer_; }
  [[nodiscard]] Tracker* tracker() const { return buffer_ ? buffer_->tracker : nullptr; }

  [[nodiscard]] const MaskPtr& mask() const;
  [[nodiscard]] Tensor with_mask(MaskPtr mask) const;
  // Removes the mask, if there is one, as Keras's MultiHeadAttention does with its arguments.
  // Copies are one object, as in Python: this function and set_mask() change the mask of this
  // tensor and of its copies.
  void strip_mask() const;
  // Sets the mask, as a nested model does that is called with one. Copies made before the first
  // mask do not see it, unless await_mask() was called before they were made.
  void set_mask(MaskPtr mask);
  void await_mask();
  // Returns whether a layer has stripped the mask.
  [[nodiscard]] bool mask_taken() const { return mask_ != nullptr && mask_->taken; }
  // Returns a tensor of another shape that shares this storage. It has no mask, like every newly
  // computed tensor.
  [[nodiscard]] Tensor reshaped(const Shape& shape) const;

 private:
  void check_access(DType expected) const;
  TensorSpec spec_;
  std::size_t size_ = 0;
  std::shared_ptr<Buffer> buffer_;
  SymbolPtr origin_;
  struct MaskSlot {
    MaskPtr mask;
    bool taken = false;
  };
  std::shared_ptr<MaskSlot> mask_;  // Shared by copies; null stands for no mask.
};

using Tensors = std::vector<Tensor>;

template <class T>
std::span<const T> Tensor::data() const {
  check_access(DTypeOf<T>::value);
  return {reinterpret_cast<const T*>(buffer_->data()), size_};
}

template <class T>
std::span<T> Tensor::mutable_data() {
  check_access(DTypeOf<T>::value);
  return {reinterpret_cast<T*>(buffer_->mutable_data()), size_};
}

template <class T>
Tensor Tensor::from(const Shape& shape, std::span<const T> values) {
  Tensor result(DTypeOf<T>::value, shape);
  const std::span<T> out = result.mutable_data<T>();
  for (std::size_t i = 0; i < out.size() && i < values.size(); ++i) out[i] = values[i];
  return result;
}

// Returns whether one of them is symbolic. Then an operation is recorded instead of computed.
[[nodiscard]] bool any_symbolic(std::span<const Tensor> tensors);
[[nodiscard]] std::vector<Shape> shapes_of(std::span<const Tensor> tensors);

}  // namespace maskflow
