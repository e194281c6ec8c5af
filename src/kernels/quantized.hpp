// SPDX-License-Identifier: MIT
// A weight matrix in 8 bits, and its product.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/gemm.hpp"

namespace maskflow::kernels {

// What the product does with the other operand.
enum class Activations {
  kFloat,  // floats, with weights made floats again: off by the rounding of the weights alone
  kInt8,   // each row in 7 bits, products of whole numbers: fast where the engine has them
};

// B (k x n): q = round(w / scale) in -127 .. 127, with scale = max |w| / 127 of each column, as in
// Keras's int8 quantization. An element is off by at most scale / 2.
class QuantizedMatrix final : public MatrixForm {
 public:
  QuantizedMatrix(const float* b, std::size_t k, std::size_t n, Activations activations);

  void product(const Rows& a, std::size_t m, Start start, const float* bias,
               float* c) const override;
  // Row-major [k, n]: q scale.
  void unpack(float* to) const override;
  [[nodiscard]] std::size_t bytes() const override;

 private:
  [[nodiscard]] std::size_t place(std::size_t row, std::size_t column) const;

  std::size_t k_;
  std::size_t n_;
  // Panels of eight columns; in a panel, for every group of rows (one, or four for products of
  // whole numbers), those of each column.
  std::size_t group_;
  std::vector<std::int8_t, LineAllocator<std::int8_t>> data_;
  Floats scales_;
  std::vector<std::int32_t> sums_;  // of the q of a column
};

}  // namespace maskflow::kernels
