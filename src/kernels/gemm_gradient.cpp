// SPDX-License-Identifier: MIT
#include "kernels/gemm_gradient.hpp"

#include <algorithm>

#include "kernels/simd.hpp"
#include "kernels/team.hpp"

namespace maskflow::kernels {
namespace {

// Four rows of C by two vectors: eight accumulators, as in the forward product.
constexpr std::size_t kTileRows = 4;
constexpr std::size_t kVectors = 2;
constexpr std::size_t kTileColumns = kVectors * kLanes;
// Rows of A and B that are added to all tiles of C before the next ones.
constexpr std::size_t kBlock = 64;
// Rows of C at a time, so that their part of a block stays in the cache.
constexpr std::size_t kChunk = 128;

// Copies the parts of a block's rows that tiles read into consecutive memory. The distance of rows
// is often a power of two, as in gates. Such rows share few sets of the first-level cache, so that
// each read would miss it: with 256 units that took three times as long.
template <std::size_t Width>
void pack(const Rows& from, std::size_t first, std::size_t rows, std::size_t column,
          std::size_t columns, float* to) {
  for (std::size_t k = 0; k < rows; ++k, to += Width) {
    const float* const row = from[first + k] + column;
    if (columns < Width) {
      for (std::size_t i = 0; i < Width; ++i) to[i] = i < columns ? row[i] : 0;
    } else if constexpr (Width % kLanes == 0) {
      for (std::size_t i = 0; i < Width; i += kLanes) {
        Vec::load_unaligned(row + i).store_unaligned(to + i);
      }
    } else {
      std::copy_n(row, Width, to);
    }
  }
}

// C[4, columns of a tile] += A^T B.
void tile(const float* a, const float* b, std::size_t rows, float* c, std::size_t stride) {
  Vec sum[kTileRows][kVectors];
  for (std::size_t r = 0; r < kTileRows; ++r) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      sum[r][v] = Vec::load_unaligned(c + r * stride + v * kLanes);
    }
  }
  for (std::size_t k = 0; k < rows; ++k, a += kTileRows, b += kTileColumns) {
    Vec columns[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) columns[v] = Vec::load_unaligned(b + v * kLanes);
    for (std::size_t r = 0; r < kTileRows; ++r) {
      const Vec x(a[r]);
      for (std::size_t v = 0; v < kVectors; ++v) sum[r][v] = xsimd::fma(x, columns[v], sum[r][v]);
    }
  }
  for (std::size_t r = 0; r < kTileRows; ++r) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      sum[r][v].store_unaligned(c + r * stride + v * kLanes);
    }
  }
}

// Adds a tile that exceeds C to the part that exists.
void part_of_tile(const float* a, const float* b, std::size_t rows, float* c, std::size_t stride,
                  std::size_t height, std::size_t width) {
  float sums[kTileRows * kTileColumns] = {};
  tile(a, b, rows, sums, kTileColumns);
  for (std::size_t r = 0; r < height; ++r) {
    for (std::size_t i = 0; i < width; ++i) c[r * stride + i] += sums[r * kTileColumns + i];
  }
}

// Some columns of a block of A, which correspond to rows of C.
struct Chunk {
  const Rows& a;
  std::size_t first, count;  // rows of the block
  std::size_t height;        // at most kChunk
};

void add_chunk(const Chunk& chunk, const Rows& b, std::size_t n, float* c, std::size_t stride) {
  float left[kBlock * kChunk];
  float right[kBlock * kTileColumns];
  const auto [a, first, count, height] = chunk;
  for (std::size_t row = 0; row < height; row += kTileRows) {
    pack<kTileRows>(a, first, count, row, std::min(kTileRows, height - row), left + row * count);
  }
  for (std::size_t column = 0; column < n; column += kTileColumns) {
    const std::size_t width = std::min(kTileColumns, n - column);
    pack<kTileColumns>(b, first, count, column, width, right);
    for (std::size_t row = 0; row < height; row += kTileRows) {
      float* const to = c + row * stride + column;
      const std::size_t rows = std::min(kTileRows, height - row);
      if (rows == kTileRows && width == kTileColumns) {
        tile(left + row * count, right, count, to, stride);
      } else {
        part_of_tile(left + row * count, right, count, to, stride, rows, width);
      }
    }
  }
}

void add_all(const Rows& a, const Rows& b, std::size_t rows, std::size_t m, std::size_t n, float* c,
             std::size_t stride) {
  for (std::size_t first = 0; first < rows; first += kBlock) {
    const std::size_t count = std::min(kBlock, rows - first);
    for (std::size_t top = 0; top < m; top += kChunk) {
      const Rows part{a.base + top, a.stride, a.index};
      add_chunk({part, first, count, std::min(kChunk, m - top)}, b, n, c + top * stride, stride);
    }
  }
}

// Columns or rows of C that a thread computes together at least, whichever are more: whole tiles,
// so that they are those of one thread.
constexpr std::size_t kGrain = 4 * kTileColumns;
// Fewest along the other axis. It is divided only if there are few parts, because each part packs
// its rows and columns again.
constexpr std::size_t kOtherGrain = 2 * kTileColumns;
static_assert(kOtherGrain % kTileRows == 0);

}  // namespace

void add_outer(const Rows& a, const Rows& b, std::size_t rows, std::size_t m, std::size_t n,
               float* c, std::size_t stride) {
  const Work work = Work{rows} * m * n;
  if (!is_region(work)) return add_all(a, b, rows, m, n, c, stride);
  // Each number of C is summed by one thread, in the order of the rows.
  const auto add = [&](Interval of_m, Interval of_n) {
    add_all({a.base + of_m.begin, a.stride, a.index}, {b.base + of_n.begin, b.stride, b.index},
            rows, of_m.end - of_m.begin, of_n.end - of_n.begin,
            c + of_m.begin * stride + of_n.begin, stride);
  };
  if (n >= m) {
    parallel_blocks({n, kGrain}, {m, kOtherGrain}, work,
                    [&](Interval of_n, Interval of_m) { add(of_m, of_n); });
  } else {
    parallel_blocks({m, kGrain}, {n, kOtherGrain}, work, add);
  }
}

void multiply_transposed(const Rows& a, std::size_t rows, const float* b, std::size_t k,
                         std::size_t n, float* c) {
  const PackedMatrix transposed(b, {0, n, k, 1, n});
  gemm(a, rows, transposed, Start::kZero, nullptr, c);
}

void add_rows(const Rows& a, std::size_t rows, std::size_t n, float* to) {
  parallel_elements(n, rows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = 0; row < rows; ++row) {
      const float* const from = a[row];
      for (std::size_t i = begin; i < end; ++i) to[i] += from[i];
    }
  });
}

}  // namespace maskflow::kernels
