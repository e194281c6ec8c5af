// SPDX-License-Identifier: MIT
// The products that the gradients of a matrix product are made of.
#pragma once

#include "kernels/gemm.hpp"

namespace maskflow::kernels {

// C[m, n] += A^T B over `rows` rows of A (m wide) and B (n wide); rows of C are `stride` apart.
// As fast as the forward product for 16 rows or more.
void add_outer(const Rows& a, const Rows& b, std::size_t rows, std::size_t m, std::size_t n,
               float* c, std::size_t stride);
// Of rows that follow each other.
inline void add_outer(const Rows& a, const Rows& b, std::size_t rows, std::size_t m, std::size_t n,
                      float* c) {
  add_outer(a, b, rows, m, n, c, n);
}

// C[rows, k] = A B^T for A of rows that are n wide and a row-major B of k rows by n columns.
void multiply_transposed(const Rows& a, std::size_t rows, const float* b, std::size_t k,
                         std::size_t n, float* c);

// to[n] += the sum of the rows.
void add_rows(const Rows& a, std::size_t rows, std::size_t n, float* to);

}  // namespace maskflow::kernels
