// SPDX-License-Identifier: MIT
// A weight matrix in 8 bits, and its product.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/gemm.hpp"
#include "kernels/simd.hpp"

namespace maskflow::kernels {

// Format of the other operand of the product.
enum class Activations {
  kFloat,  // floats; weights are converted back, so that only their rounding is lost
  kInt8,   // rows in 7 bits and integer products, which are fast where the engine has them
};

// Quantization steps per unit for this largest magnitude, as in Keras's abs_max_quantize.
[[nodiscard]] inline float keras_scale(float largest) { return 127.0F / (largest + 1e-7F); }

[[nodiscard]] bool all_finite(std::span<const float> numbers);

// B [k, n] in 8 bits: q = round(w scale), -127 .. 127, where the scale of a column is that of its
// largest |w|. The error of an element is at most half a step.
class QuantizedMatrix final : public MatrixForm {
 public:
  QuantizedMatrix(const float* array, const MatrixPlace& place, Activations activations);

  void product(const Rows& a, std::size_t m, Start start, const float* bias,
               float* c) const override;
  // Integer products need a block of rows for each thread, made when the matrix is.
  [[nodiscard]] bool runs_in_parts() const override;
  // Writes q / scale.
  void unpack(float* array, const MatrixPlace& place) const override;
  [[nodiscard]] std::size_t bytes() const override;

 private:
  // Calls f(row, column, numbers) for each row of each panel that begins at `column`, in tiles of
  // some rows: neighbours in memory are read and written together. Columns beyond the last are 0.
  template <class F>
  void each_row(const float* array, const MatrixPlace& place, F&& f) const;
  // Rounds a row of the panel that begins at `column`.
  void write_row(std::size_t row, std::size_t column, const Vec* numbers);
  [[nodiscard]] std::size_t index(std::size_t row, std::size_t column) const;
  // Number of parts into which the rows are divided, so that integer sums of each fit in an int32.
  [[nodiscard]] std::size_t parts() const;

  std::size_t k_;
  std::size_t n_;
  // data_ has panels of eight columns. A panel has, for each group of rows (one, or four for
  // integer products), the rows of each column.
  std::size_t group_;
  std::vector<std::int8_t, LineAllocator<std::int8_t>> data_;
  Floats steps_;  // 1 / scale of each column
  // For integer products, the sums of q of each part and column.
  std::vector<std::int32_t> sums_;
};

}  // namespace maskflow::kernels
