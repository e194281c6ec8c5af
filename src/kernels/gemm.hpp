// SPDX-License-Identifier: MIT
// Matrix product for one thread: C = bias + A B, or C += A B, with B packed once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/index.hpp"
#include "kernels/floats.hpp"

namespace maskflow::kernels {

// Rows of A. Row i starts at base + index[i] * stride, or at base + i * stride without an index.
// The product gathers the kept steps itself, so that removing masked steps needs no copy.
struct Rows {
  const float* base = nullptr;
  std::size_t stride = 0;
  const std::int32_t* index = nullptr;

  [[nodiscard]] const float* operator[](std::size_t i) const {
    return base + (index == nullptr ? i : at(index[i])) * stride;
  }
  // The rows from `first` on.
  [[nodiscard]] Rows from(std::size_t first) const {
    if (index == nullptr) return {base + first * stride, stride};
    return {base, stride, index + first};
  }
};

enum class Start { kZero, kBias, kAccumulate };

// Position of a matrix in an array: element (r, c) is array[first + r row_step + c column_step].
struct MatrixPlace {
  std::size_t first, k, n, row_step;
  std::size_t column_step = 1;
};

// B in another format than floats, with its own product.
class MatrixForm {
 public:
  MatrixForm() = default;
  virtual ~MatrixForm() = default;
  MatrixForm(const MatrixForm&) = delete;
  MatrixForm& operator=(const MatrixForm&) = delete;
  // Computes gemm().
  virtual void product(const Rows& a, std::size_t m, Start start, const float* bias,
                       float* c) const = 0;
  // Whether several threads may compute products at the same time.
  [[nodiscard]] virtual bool runs_in_parts() const { return true; }
  // Writes B as floats to its place in an array.
  virtual void unpack(float* array, const MatrixPlace& place) const = 0;
  [[nodiscard]] virtual std::size_t bytes() const = 0;
};

// B [k, n] in the order in which the product reads it: panels of kPanel columns, each with its k
// rows one after the other, padded with zeros to full width.
class PackedMatrix {
 public:
  PackedMatrix() = default;
  PackedMatrix(const float* array, const MatrixPlace& place) { pack(array, place); }
  PackedMatrix(const float* b, std::size_t k, std::size_t n, std::size_t row_stride)
      : PackedMatrix(b, {0, k, n, row_stride}) {}
  // Packs another matrix. Allocates nothing if one of at least its size was packed or reserved.
  void pack(const float* array, const MatrixPlace& place);
  void reserve(std::size_t k, std::size_t n) { data_.reserve(packed_size(k, n).of<float>()); }
  [[nodiscard]] bool operator==(const PackedMatrix& other) const;
  [[nodiscard]] std::size_t k() const { return k_; }
  [[nodiscard]] std::size_t n() const { return n_; }
  PackedMatrix(std::shared_ptr<const MatrixForm> form, std::size_t k, std::size_t n)
      : k_(k), n_(n), form_(std::move(form)) {}
  // Null for panels of floats.
  [[nodiscard]] const MatrixForm* form() const { return form_.get(); }
  [[nodiscard]] bool runs_in_parts() const { return form_ == nullptr || form_->runs_in_parts(); }
  [[nodiscard]] const float* panel(std::size_t index) const;
  // Whether no number is NaN or infinite, so that its products with zeros are zeros. Computed on
  // the first call, because many matrices are packed for one product and never need it.
  [[nodiscard]] bool finite() const;

 private:
  // Number of floats in the panels.
  [[nodiscard]] static Count packed_size(std::size_t k, std::size_t n);
  std::size_t k_ = 0;
  std::size_t n_ = 0;
  Floats data_;
  mutable std::optional<bool> finite_;
  std::shared_ptr<const MatrixForm> form_;
};

// Computes m rows of C, whose row stride is b.n(). `bias` (n values) is read for Start::kBias only.
void gemm(const Rows& a, std::size_t m, const PackedMatrix& b, Start start, const float* bias,
          float* c);

// gemm() for an A of zeros and a finite B.
void gemm_of_zeros(std::size_t m, std::size_t n, Start start, const float* bias, float* c);

// C = A B for plain row-major matrices; packs B first.
void matmul(const float* a, const float* b, float* c, std::size_t m, std::size_t k, std::size_t n);

}  // namespace maskflow::kernels
