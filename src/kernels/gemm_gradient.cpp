// SPDX-License-Identifier: MIT
#include "kernels/gemm_gradient.hpp"

#include <algorithm>

#include "kernels/simd.hpp"

namespace maskflow::kernels {
namespace {

// Four rows of C by two vectors: eight accumulators, as in the forward product.
constexpr std::size_t kTileRows = 4;
constexpr std::size_t kVectors = 2;
constexpr std::size_t kTileColumns = kVectors * kLanes;
// Rows summed up while the tiles of C go by: their parts of A and B stay in the first-level cache.
constexpr std::size_t kBlock = 64;

// The rows' starts, looked up once for all tiles.
struct Block {
  const float* a[kBlock];
  const float* b[kBlock];
  std::size_t rows;
};

template <std::size_t M>
void tile(const Block& block, std::size_t row, std::size_t column, std::size_t stride, float* c) {
  Vec sum[M][kVectors];
  for (std::size_t r = 0; r < M; ++r) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      sum[r][v] = Vec::load_unaligned(c + (row + r) * stride + column + v * kLanes);
    }
  }
  for (std::size_t k = 0; k < block.rows; ++k) {
    const float* const a = block.a[k] + row;
    const float* const b = block.b[k] + column;
    Vec columns[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) columns[v] = Vec::load_unaligned(b + v * kLanes);
    for (std::size_t r = 0; r < M; ++r) {
      const Vec x(a[r]);
      for (std::size_t v = 0; v < kVectors; ++v) sum[r][v] = xsimd::fma(x, columns[v], sum[r][v]);
    }
  }
  for (std::size_t r = 0; r < M; ++r) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      sum[r][v].store_unaligned(c + (row + r) * stride + column + v * kLanes);
    }
  }
}

// Columns that fill no tile.
void rest(const Block& block, std::size_t m, std::size_t column, std::size_t n, std::size_t stride,
          float* c) {
  for (std::size_t k = 0; k < block.rows; ++k) {
    for (std::size_t row = 0; row < m; ++row) {
      const float x = block.a[k][row];
      float* const to = c + row * stride;
      for (std::size_t j = column; j < n; ++j) to[j] += x * block.b[k][j];
    }
  }
}

void add_block(const Block& block, std::size_t m, std::size_t n, std::size_t stride, float* c) {
  std::size_t column = 0;
  for (; column + kTileColumns <= n; column += kTileColumns) {
    std::size_t row = 0;
    for (; row + kTileRows <= m; row += kTileRows) tile<kTileRows>(block, row, column, stride, c);
    for (; row < m; ++row) tile<1>(block, row, column, stride, c);
  }
  if (column < n) rest(block, m, column, n, stride, c);
}

}  // namespace

void add_outer(const Rows& a, const Rows& b, std::size_t rows, std::size_t m, std::size_t n,
               float* c, std::size_t stride) {
  for (std::size_t first = 0; first < rows; first += kBlock) {
    Block block;
    block.rows = std::min(kBlock, rows - first);
    for (std::size_t k = 0; k < block.rows; ++k) {
      block.a[k] = a[first + k];
      block.b[k] = b[first + k];
    }
    add_block(block, m, n, stride, c);
  }
}

void multiply_transposed(const Rows& a, std::size_t rows, const float* b, std::size_t k,
                         std::size_t n, float* c) {
  const PackedMatrix transposed(b, {0, n, k, 1, n});
  gemm(a, rows, transposed, Start::kZero, nullptr, c);
}

void add_rows(const Rows& a, std::size_t rows, std::size_t n, float* to) {
  for (std::size_t row = 0; row < rows; ++row) {
    const float* const from = a[row];
    for (std::size_t i = 0; i < n; ++i) to[i] += from[i];
  }
}

}  // namespace maskflow::kernels
