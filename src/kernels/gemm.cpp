// SPDX-License-Identifier: MIT
#include "kernels/gemm.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "kernels/copy.hpp"
#include "kernels/flops.hpp"
#include "kernels/hidden.hpp"
#include "kernels/scan.hpp"
#include "kernels/simd.hpp"
#include "kernels/team.hpp"

namespace maskflow::kernels {
namespace {

// Two vectors of columns. With four rows, a step has eight accumulators, two loads and four splats,
// which fits the 16 vector registers of x86 in every engine measured. Tiles of 6 x 2 and 5 x 2
// spill in older V8 and gain nothing in newer versions.
constexpr std::size_t kVectors = 2;
constexpr std::size_t kPanel = kVectors * kLanes;
constexpr std::size_t kTileRows = 4;
// Panels at once for a single row: eight sums hide the latency of two multiply-adds per cycle.
constexpr std::size_t kWidePanels = 4;
// Rows of A that are processed while one panel of B stays in the first-level cache. Splitting the
// sum as well, into parts that fit beside it, was a tenth slower.
constexpr std::size_t kRowBlock = 64;

struct Tile {
  const float* start;  // rows that the products are added to
  std::size_t start_stride;
  float* c;
  std::size_t stride;
  std::size_t columns;  // columns of the tile that exist in C
};

// Initial values for Start::kZero: a row of the widest tile.
constexpr float kZeros[4 * kPanel] = {};

// Copies rows of `columns` numbers. Never inlined, because every tile calls it, and only for the
// last columns.
[[gnu::noinline]] void copy_rows(const float* from, std::size_t from_stride, float* to,
                                 std::size_t to_stride, std::size_t rows, std::size_t columns) {
  for (std::size_t row = 0; row < rows; ++row) {
    copy(from + row * from_stride, to + row * to_stride, columns);
  }
}

// Adds products to the sums of one row and returns how many numbers of the row were used. It loads
// kLanes numbers of the row at once, because loads limit the speed of a single row.
//
// It counts half steps and hides from the compiler that their number is even: the loop may end
// after each half, so all sums must be complete there. Otherwise V8 before 13 loads the weights of
// a whole step first, and 16 registers do not hold eight sums and eight weights (0.6 times the
// speed).
template <std::size_t P, std::size_t... Lane>
std::size_t add_products(const float* row, const float* const (&panels)[P], std::size_t k,
                         Vec (&sum)[P * kVectors], std::index_sequence<Lane...>) {
  constexpr std::size_t kHalf = P * kVectors / 2;
  const std::size_t whole = k - k % kLanes;
  std::size_t left = hidden(2 * whole);
  const float* at[P];
  std::copy_n(panels, P, at);
  const auto half = [&](const Vec& x, std::size_t lane, std::size_t first) {
    for (std::size_t v = first; v < first + kHalf; ++v) {
      const float* const from = at[v / kVectors] + (lane * kVectors + v % kVectors) * kLanes;
      sum[v] = xsimd::fma(x, Vec::load_unaligned(from), sum[v]);
    }
    return --left != 0;
  };
  const auto step = [&](const Vec& x, std::size_t lane) {
    return half(x, lane, 0) && half(x, lane, kHalf);
  };
  while (left != 0) {
    const Vec x = Vec::load_unaligned(row);
    if (!(step(splat_lane<Lane>(x), Lane) && ...)) break;
    row += kLanes;
    for (const float*& panel : at) panel += kLanes * kPanel;
  }
  return whole;
}

// Computes M rows by P panels of C. Few rows are combined with several panels, so that there are
// always enough independent accumulators to hide the latency of a multiply-add.
template <std::size_t M, std::size_t P>
void tile(const Rows& a, std::size_t row, const PackedMatrix& b, std::size_t panel, Tile t) {
  constexpr std::size_t kColumns = P * kVectors;
  constexpr std::size_t kWidth = kColumns * kLanes;
  const Tile in_c = t;
  const bool whole = t.columns >= kWidth;
  float edge[M * kWidth];
  if (!whole) {
    // Columns that do not exist in C are computed in a buffer, from zeros: denormal numbers are
    // slow.
    clear(edge, M * kWidth);
    copy_rows(t.start, t.start_stride, edge, kWidth, M, t.columns);
    t = {edge, kWidth, edge, kWidth, kWidth};
  }
  Vec sum[M][kColumns];
  for (std::size_t r = 0; r < M; ++r) {
    const float* from = t.start + r * t.start_stride;
    for (std::size_t v = 0; v < kColumns; ++v) sum[r][v] = Vec::load_unaligned(from + v * kLanes);
  }
  const float* rows[M];
  for (std::size_t r = 0; r < M; ++r) rows[r] = a[row + r];
  const float* panels[P];
  for (std::size_t p = 0; p < P; ++p) panels[p] = b.panel(panel + p);
  std::size_t k = 0;
  if constexpr (M == 1 && P == kWidePanels) {
    k = add_products(rows[0], panels, b.k(), sum[0], std::make_index_sequence<kLanes>());
  }
  for (; k < b.k(); ++k) {
    Vec columns[kColumns];
    for (std::size_t v = 0; v < kColumns; ++v) {
      columns[v] = Vec::load_unaligned(panels[v / kVectors] + k * kPanel + (v % kVectors) * kLanes);
    }
    for (std::size_t r = 0; r < M; ++r) {
      const Vec x(rows[r][k]);
      for (std::size_t v = 0; v < kColumns; ++v) sum[r][v] = xsimd::fma(x, columns[v], sum[r][v]);
    }
  }
  for (std::size_t r = 0; r < M; ++r) {
    float* to = t.c + r * t.stride;
    for (std::size_t v = 0; v < kColumns; ++v) sum[r][v].store_unaligned(to + v * kLanes);
  }
  if (!whole) copy_rows(edge, kWidth, in_c.c, in_c.stride, M, in_c.columns);
}

struct Product {
  const Rows& a;
  const PackedMatrix& b;
  Start start;
  const float* bias;
  float* c;
  std::size_t first;  // panels
  std::size_t end;

  [[nodiscard]] Tile tile_at(std::size_t row, std::size_t panel) const {
    const std::size_t column = panel * kPanel;
    float* const to = c + row * b.n() + column;
    const std::size_t columns = b.n() - column;
    switch (start) {
      case Start::kBias:
        return {bias + column, 0, to, b.n(), columns};
      case Start::kAccumulate:
        return {to, b.n(), to, b.n(), columns};
      default:
        return {kZeros, 0, to, b.n(), columns};
    }
  }

  // Computes these panels of a block of rows, whose number is a multiple of kTileRows.
  void block(std::size_t begin, std::size_t last) const {
    for (std::size_t panel = first; panel < end; ++panel) {
      for (std::size_t row = begin; row < last; row += kTileRows) {
        tile<kTileRows, 1>(a, row, b, panel, tile_at(row, panel));
      }
    }
  }

  // Computes these panels of M rows, P panels at a time.
  template <std::size_t M, std::size_t P>
  void strip(std::size_t row) const {
    std::size_t panel = first;
    for (; panel + P <= end; panel += P) tile<M, P>(a, row, b, panel, tile_at(row, panel));
    for (; panel < end; ++panel) tile<M, 1>(a, row, b, panel, tile_at(row, panel));
  }

  void remainder(std::size_t row, std::size_t rows) const {
    for (; rows >= 2; rows -= 2, row += 2) strip<2, 2>(row);
    if (rows == 1) single_row(row);
  }

  // Computes these panels of one row, which loads a vector of weights for each multiply-add. Steps
  // of one sequence and of streams spend most of their time here.
  void single_row(std::size_t row) const {
    std::size_t panel = first;
    for (; end - panel >= kWidePanels; panel += kWidePanels) {
      tile<1, kWidePanels>(a, row, b, panel, tile_at(row, panel));
    }
    for (; end - panel >= 2; panel += 2) tile<1, 2>(a, row, b, panel, tile_at(row, panel));
    if (panel < end) tile<1, 1>(a, row, b, panel, tile_at(row, panel));
  }
};

}  // namespace

Count PackedMatrix::packed_size(std::size_t k, std::size_t n) {
  return Count((n + kPanel - 1) / kPanel * kPanel) * k;
}

namespace {

// Packs the rows of a panel, of which `columns` columns exist. Models that train pack their weights
// in every step.
void pack_panel(const float* from, const MatrixPlace& place, std::size_t columns, float* to) {
  const bool is_whole = columns >= kPanel && place.column_step == 1;
  const std::size_t width = std::min(columns, kPanel);
  if (width < kPanel) clear(to, place.k * kPanel);
  for (std::size_t row = 0; row < place.k; ++row, from += place.row_step, to += kPanel) {
    if (is_whole) {
      for (std::size_t i = 0; i < kPanel; i += kLanes) {
        Vec::load_unaligned(from + i).store_unaligned(to + i);
      }
    } else {
      MASKFLOW_KEEP_ROLLED
      for (std::size_t i = 0; i < width; ++i) to[i] = from[i * place.column_step];
    }
  }
}

}  // namespace

void PackedMatrix::pack(const float* array, const MatrixPlace& place) {
  k_ = place.k;
  n_ = place.n;
  finite_.reset();
  form_.reset();
  data_.resize(size_within(data_, packed_size(k_, n_)));
  float* to = data_.data();
  for (std::size_t column = 0; k_ > 0 && column < n_; column += kPanel, to += k_ * kPanel) {
    pack_panel(array + place.first + column * place.column_step, place, n_ - column, to);
  }
}

// Compares bits, so that a NaN equals itself.
bool PackedMatrix::operator==(const PackedMatrix& other) const {
  return k_ == other.k_ && n_ == other.n_ && data_.size() == other.data_.size() &&
         (data_.empty() ||
          std::memcmp(data_.data(), other.data_.data(), data_.size() * sizeof(float)) == 0);
}

const float* PackedMatrix::panel(std::size_t index) const {
  return data_.data() + index * kPanel * k_;
}

bool PackedMatrix::finite() const {
  if (!finite_) finite_ = all_finite(data_.data(), data_.size());
  return *finite_;
}

namespace {

void multiply(const Rows& a, std::size_t m, const PackedMatrix& b, Start start, const float* bias,
              float* c, Interval columns) {
  if (b.form() != nullptr) return b.form()->product(a, m, start, bias, c);
  const Product product{
      a, b, start, bias, c, columns.begin / kPanel, (columns.end + kPanel - 1) / kPanel};
  const std::size_t whole = m - m % kTileRows;
  for (std::size_t begin = 0; begin < whole; begin += kRowBlock) {
    product.block(begin, std::min(begin + kRowBlock, whole));
  }
  product.remainder(whole, m - whole);
}

// Rows of C that a thread computes together at least: a multiple of kTileRows, so that the tiles
// are those of one thread.
constexpr std::size_t kGrain = 32;
// Columns of C that a thread computes together at least.
constexpr std::size_t kColumnGrain = kWidePanels * kPanel;
// Least rows of a product whose columns are divided. Products with fewer rows are those of steps,
// one after the other, and each would wait for the slowest thread.
constexpr std::size_t kLeastRows = 8;

}  // namespace

void gemm(const Rows& a, std::size_t m, const PackedMatrix& b, Start start, const float* bias,
          float* c) {
  const Work row_work = Work{b.k()} * b.n();
  const bool has_form = b.form() != nullptr;
  if (m < (has_form ? 2 * kGrain : kLeastRows) || !is_region(m * row_work) || !b.runs_in_parts()) {
    multiply_adds += m * row_work;
    return multiply(a, m, b, start, bias, c, {0, b.n()});
  }
  // Each number is the same sum in every tile. Few rows are not divided.
  const std::size_t grain = m < 2 * kGrain ? m : kGrain;
  parallel_blocks({m, grain}, {b.n(), has_form ? b.n() : kColumnGrain}, m * row_work,
                  [&](Interval rows, Interval columns) {
                    const std::size_t count = rows.end - rows.begin;
                    multiply_adds += Work{count} * b.k() * (columns.end - columns.begin);
                    multiply(a.from(rows.begin), count, b, start, bias, c + rows.begin * b.n(),
                             columns);
                  });
}

void gemm_of_zeros(std::size_t m, std::size_t n, Start start, const float* bias, float* c) {
  if (start == Start::kAccumulate) return;
  for (std::size_t row = 0; row < m; ++row, c += n) {
    if (start == Start::kBias) {
      copy(bias, c, n);
    } else {
      clear(c, n);
    }
  }
}

void matmul(const float* a, const float* b, float* c, std::size_t m, std::size_t k, std::size_t n) {
  gemm({a, k}, m, PackedMatrix(b, k, n, n), Start::kZero, nullptr, c);
}

}  // namespace maskflow::kernels
