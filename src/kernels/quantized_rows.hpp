// SPDX-License-Identifier: MIT
// Rows in 8 bits, each with a scale of its own: tables that are looked up.
#pragma once

#include <cstddef>

namespace maskflow::kernels {

// Bytes of a row of n floats in 8 bits: its scale (a float), then a byte each, up to a multiple of
// four.
[[nodiscard]] std::size_t quantized_row_bytes(std::size_t n);
// x must be finite. As Keras does it for embeddings: q = round(x scale), to even at one half, with
// scale = 127 / (max |x| + 1e-7).
void quantize_row(const float* x, std::size_t n, std::byte* to);
// q / scale.
void read_quantized_row(const std::byte* from, std::size_t n, float* to);

}  // namespace maskflow::kernels
