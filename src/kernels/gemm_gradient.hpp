// SPDX-License-Identifier: MIT
// The products that compute the gradients of a matrix product.
#pragma once

#include "kernels/gemm.hpp"

namespace maskflow::kernels {

// C[m, n] += A^T B, where A has `rows` rows of m numbers and B as many of n. Rows of C are `stride`
// apart. As fast as the forward product for 16 rows or more.
void add_outer(const Rows& a, const Rows& b, std::size_t rows, std::size_t m, std::size_t n,
               float* c, std::size_t stride);
// As add_outer above, for a contiguous C.
inline void add_outer(const Rows& a, const Rows& b, std::size_t rows, std::size_t m, std::size_t n,
                      float* c) {
  add_outer(a, b, rows, m, n, c, n);
}

// C[rows, k] = A B^T, where A has rows of n numbers and B is a row-major matrix [k, n].
void multiply_transposed(const Rows& a, std::size_t rows, const float* b, std::size_t k,
                         std::size_t n, float* c);

// to[n] += the sum of the rows.
void add_rows(const Rows& a, std::size_t rows, std::size_t n, float* to);

}  // namespace maskflow::kernels
