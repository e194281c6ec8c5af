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

// Steps of 8 bits per unit where the largest magnitude is this one: Keras's abs_max_quantize.
[[nodiscard]] inline float keras_scale(float largest) { return 127.0F / (largest + 1e-7F); }

// B (k x n): q = round(w scale) in -127 .. 127, with the scale of each column's largest |w|. An
// element is off by at most half a step.
class QuantizedMatrix final : public MatrixForm {
 public:
  QuantizedMatrix(const float* array, const MatrixPlace& place, Activations activations);

  void product(const Rows& a, std::size_t m, Start start, const float* bias,
               float* c) const override;
  // q scale.
  void unpack(float* array, const MatrixPlace& place) const override;
  [[nodiscard]] std::size_t bytes() const override;

 private:
  [[nodiscard]] std::size_t index(std::size_t row, std::size_t column) const;
  // Parts of the rows that are multiplied one after the other: the sums of whole numbers of each
  // fit in an int32.
  [[nodiscard]] std::size_t parts() const;

  std::size_t k_;
  std::size_t n_;
  // Panels of eight columns; in a panel, for every group of rows (one, or four for products of
  // whole numbers), those of each column.
  std::size_t group_;
  std::vector<std::int8_t, LineAllocator<std::int8_t>> data_;
  Floats steps_;  // what one is worth, of each column
  // Sums of the q of a column, of each part, where whole numbers are multiplied.
  std::vector<std::int32_t> sums_;
};

}  // namespace maskflow::kernels
