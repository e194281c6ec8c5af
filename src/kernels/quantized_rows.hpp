// SPDX-License-Identifier: MIT
// Rows in 8 bits, each with its own scale, for tables of embeddings.
#pragma once

#include <cstddef>

namespace maskflow::kernels {

// Bytes of a row of n floats in 8 bits: a float for the scale, then a byte per number, padded to a
// multiple of four.
[[nodiscard]] std::size_t quantized_row_bytes(std::size_t n);
// Quantizes finite numbers as Keras does for embeddings: q = round(x scale), halves to even, with
// scale = 127 / (max |x| + 1e-7).
void quantize_row(const float* x, std::size_t n, std::byte* to);
// Writes q / scale.
void read_quantized_row(const std::byte* from, std::size_t n, float* to);

}  // namespace maskflow::kernels
