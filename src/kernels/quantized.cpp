// SPDX-License-Identifier: MIT
#include "kernels/quantized.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

#include "base/error.hpp"
#include "kernels/hidden.hpp"
#include "kernels/integer_dot.hpp"
#include "kernels/simd.hpp"
#include "kernels/team.hpp"

namespace maskflow::kernels {
namespace {

constexpr std::size_t kGroup = 4;           // columns in a vector of weights
constexpr std::size_t kPanel = 2 * kGroup;  // columns in a panel
constexpr std::size_t kDepth = 4;           // consecutive weights of a column
constexpr std::size_t kPanelVectors = kPanel / kLanes;
constexpr std::size_t kTileRows = 8;   // rows of a panel that fill a line of the cache
constexpr std::size_t kRowBlock = 48;  // rows of A that stay in the first-level cache
constexpr int kLargestStep = 127;      // one operand of the dot product has seven bits
constexpr int kLargestWeight = 127;
// Most rows of B in one integer product, so that every possible sum fits in an int32.
constexpr std::size_t kPartDepth =
    std::numeric_limits<std::int32_t>::max() / (kLargestStep * kLargestWeight) / kDepth * kDepth;

using Step = SafeDot::Step;  // a quantized number of A
static_assert(std::is_same_v<FastDot::Step, Step>);
using Whole = xsimd::batch<std::int32_t>;
static_assert(kPanel % kLanes == 0 && Whole::size == kLanes);

std::size_t up_to(std::size_t n, std::size_t step) { return (n + step - 1) / step * step; }

// Most rows of B in one product of a matrix with `k` rows in groups of `group`.
std::size_t part_depth(std::size_t k, std::size_t group) {
  return std::min(up_to(k, group), kPartDepth);
}

// Position of element (row, column) of B, whose panels have `depth` rows in groups of `group`.
std::size_t position(std::size_t row, std::size_t column, std::size_t depth, std::size_t group) {
  return column / kPanel * kPanel * depth + row / group * group * kPanel + column % kPanel * group +
         row % group;
}

// Quantization of a row of A: x = scale (u - zero), with u in 0 .. 127. Zero is exact.
struct RowScale {
  float scale;
  std::int32_t zero;
};

struct Range {
  float low = 0;
  float high = 0;
  bool finite = true;
};

[[gnu::noinline]] Range range_of(const float* x, std::size_t n) {
  Vec low(0.0F);
  Vec high(0.0F);
  Vec zero(0.0F);  // NaN after a NaN or an infinity
  const auto add = [&](const Vec& v) {
    low = xsimd::min(low, v);
    high = xsimd::max(high, v);
    zero += v * Vec(0.0F);
  };
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) add(Vec::load_unaligned(x + i));
  if (i < n) add(load_partial(x + i, n - i));
  return {xsimd::reduce_min(low), xsimd::reduce_max(high), xsimd::reduce_add(zero) == 0};
}

template <class Dot>
RowScale quantize_row(const float* x, std::size_t n, std::size_t padded, Step* to) {
  const Range range = range_of(x, n);
  if (!range.finite) {
    std::fill_n(to, padded, Step{0});
    return {std::numeric_limits<float>::quiet_NaN(), 0};
  }
  // Subtracts halves because high - low may exceed the largest float. The scale is at least the
  // smallest normal number, whose inverse is finite.
  const float step = (range.high * 0.5F - range.low * 0.5F) / kLargestStep * 2;
  const float scale = std::max(step, std::numeric_limits<float>::min());
  const float inverse = 1 / scale;
  const float zero = std::floor(-range.low * inverse + 0.5F);
  const auto steps = [&](const Vec& v) {
    const Vec whole = v * Vec(inverse) + Vec(zero + 0.5F);
    return xsimd::min(xsimd::max(whole, Vec(0.0F)), Vec(kLargestStep + 0.5F));
  };
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) Dot::store(steps(Vec::load_unaligned(x + i)), to + i);
  if (i < n) {
    Step rest[kLanes];
    Dot::store(steps(load_partial(x + i, n - i)), rest);
    std::copy_n(rest, n - i, to + i);
  }
  std::fill_n(to + n, padded - n, Step{0});
  return {scale, static_cast<std::int32_t>(zero)};
}

// Writes c = start + factor * scale * raw for some columns of a row. It reads whole vectors, beyond
// the last column, of `raw` and of the scales.
struct Writer {
  Start start;
  const float* bias;
  const float* scales;
  float* c;
  std::size_t n;

  [[gnu::noinline]] void write(std::size_t row, std::size_t column, std::size_t columns,
                               float factor, const float* raw) const {
    static constexpr float kZeros[4 * kPanel] = {};
    float* to = c + row * n + column;
    const float* before = start == Start::kAccumulate ? to
                          : start == Start::kBias     ? bias + column
                                                      : kZeros;
    const auto added = [&](std::size_t i) {
      return Vec(factor) * Vec::load_unaligned(scales + column + i) * Vec::load_unaligned(raw + i);
    };
    std::size_t i = 0;
    for (; i + kLanes <= columns; i += kLanes) {
      (Vec::load_unaligned(before + i) + added(i)).store_unaligned(to + i);
    }
    if (i < columns) {
      store_partial(load_partial(before + i, columns - i) + added(i), to + i, columns - i);
    }
  }
};

struct Integers {
  const std::int8_t* data;
  const std::int32_t* sums;
  std::size_t depth;   // rows, including those that fill the last group
  std::size_t stride;  // rows of a whole panel; a product may use a part of them
  std::size_t n;

  [[nodiscard]] const std::int8_t* panel(std::size_t index) const {
    return data + index * stride * kPanel;
  }
  [[nodiscard]] std::size_t panels() const { return up_to(n, kPanel) / kPanel; }
};

// Calls f.at<M, P>(row, panel) for all panels of M rows, P at a time.
template <std::size_t M, std::size_t P, class F>
void strip(F& f, std::size_t row, std::size_t panels) {
  std::size_t p = 0;
  for (; p + P <= panels; p += P) f.template at<M, P>(row, p);
  for (; p < panels; ++p) f.template at<M, 1>(row, p);
}

// Calls it for all tiles of some rows: with one panel at a time for M rows, with several for fewer.
template <std::size_t M, class F>
void tiles(F& f, std::size_t rows, std::size_t panels) {
  const std::size_t whole = rows - rows % M;
  for (std::size_t p = 0; whole > 0 && p < panels; ++p) {
    for (std::size_t row = 0; row < whole; row += M) f.template at<M, 1>(row, p);
  }
  std::size_t row = whole;
  for (; row + 2 <= rows; row += 2) strip<2, 2>(f, row, panels);
  if (row < rows) strip<1, 4>(f, row, panels);
}

// The product with weights that are converted to floats as they are read.
struct FloatProduct {
  const Integers& b;
  const Writer& writer;
  const Rows& a;
  std::size_t first;

  template <std::size_t M, std::size_t P>
  void at(std::size_t row, std::size_t panel) const {
    constexpr std::size_t kVectors = kPanel / kLanes;
    Vec sum[M][P * kVectors];
    const float* rows[M];
    const std::int8_t* panels[P];
    for (std::size_t r = 0; r < M; ++r) {
      rows[r] = a[first + row + r];
      for (Vec& v : sum[r]) v = Vec(0.0F);
    }
    for (std::size_t p = 0; p < P; ++p) panels[p] = b.panel(panel + p);
    for (std::size_t k = 0; k < b.depth; ++k) {
      Vec columns[P * kVectors];
      for (std::size_t p = 0; p < P; ++p)
        eight_floats(panels[p] + k * kPanel, columns + p * kVectors);
      for (std::size_t r = 0; r < M; ++r) {
        const Vec x(rows[r][k]);
        for (std::size_t v = 0; v < P * kVectors; ++v)
          sum[r][v] = xsimd::fma(x, columns[v], sum[r][v]);
      }
    }
    const std::size_t column = panel * kPanel;
    Vec total(0.0F);
    for (std::size_t r = 0; r < M; ++r) {
      for (const Vec& v : sum[r]) total += v;
    }
    const bool finite = std::isfinite(xsimd::reduce_add(total));
    for (std::size_t r = 0; r < M; ++r) {
      float raw[P * kPanel];
      for (std::size_t v = 0; v < P * kVectors; ++v) sum[r][v].store_unaligned(raw + v * kLanes);
      const float factor = finite ? 1 : finite_sums(rows[r], panels, P, raw);
      writer.write(first + row + r, column, std::min(P * kPanel, b.n - column), factor, raw);
    }
  }

 private:
  // If a sum of a row is not finite, computes all of them in double precision, divided by the
  // factor that it returns: x times an integer may overflow although x times the weight does not.
  [[gnu::noinline]] float finite_sums(const float* row, const std::int8_t* const* panels,
                                      std::size_t count, float* raw) const {
    constexpr float kFactor = 65536;
    const std::size_t columns = count * kPanel;
    if (std::all_of(raw, raw + columns, [](float sum) { return std::isfinite(sum); })) return 1;
    for (std::size_t column = 0; column < columns; ++column) {
      double sum = 0;
      for (std::size_t k = 0; k < b.depth; ++k) {
        sum += static_cast<double>(row[k]) * panels[column / kPanel][k * kPanel + column % kPanel];
      }
      raw[column] = static_cast<float>(sum / kFactor);
    }
    return kFactor;
  }
};

template <class Dot, std::size_t N>
std::array<typename Dot::Weights, N> vectors(const std::int8_t* const* panels, std::size_t k) {
  std::array<typename Dot::Weights, N> result;
  for (std::size_t v = 0; v < N; ++v) {
    result[v] = typename Dot::Weights(panels[v / 2] + k * kPanel + v % 2 * kGroup * kDepth);
  }
  return result;
}

// Blocks of quantized rows: one for each thread, all of one size. They are kept between calls,
// because a recurrent layer multiplies at every step.
std::vector<Step>& step_blocks() {
  static std::vector<Step> blocks;
  return blocks;
}

std::size_t members() { return static_cast<std::size_t>(team_size()); }

std::size_t block_size(std::size_t depth) { return (Count(kRowBlock) * depth).of<Step>(); }

void reserve_blocks(std::size_t depth) {
  std::vector<Step>& blocks = step_blocks();
  blocks.resize(std::max(blocks.size(), (Count(block_size(depth)) * members()).of<Step>()));
}

template <class Dot>
class IntegerProduct {
 public:
  IntegerProduct(const Integers& b, const Writer& writer) : b_(b), writer_(writer) {}

  void rows(const Rows& a, std::size_t m, std::size_t k) {
    std::vector<Step>& blocks = step_blocks();
    Step* const steps =
        blocks.data() + blocks.size() / members() * static_cast<std::size_t>(team_self());
    for (first_ = 0; first_ < m; first_ += kRowBlock) {
      const std::size_t count = std::min(kRowBlock, m - first_);
      for (std::size_t r = 0; r < count; ++r) {
        Step* to = steps + r * b_.depth;
        scales_[r] = quantize_row<Dot>(a[first_ + r], k, b_.depth, to);
        rows_[r] = to;
      }
      tiles<Dot::kRows>(*this, count, b_.panels());
    }
  }

  template <std::size_t M, std::size_t P>
  void at(std::size_t row, std::size_t panel) const {
    constexpr std::size_t kVectors = P * kPanel / kGroup;
    typename Dot::Sum sum[M][kVectors];
    const std::int8_t* panels[P];
    for (std::size_t p = 0; p < P; ++p) panels[p] = b_.panel(panel + p);
    const Dot dot;
    for (std::size_t k = 0; k < b_.depth; k += kDepth) {
      // Loads all weights first, so that the steps of a row are used before the next row is loaded.
      const auto weights = vectors<Dot, kVectors>(panels, k);
      for (std::size_t r = 0; r < M; ++r) {
        const auto steps = Dot::steps(rows_[row + r] + k);
        for (std::size_t v = 0; v < kVectors; ++v) dot.add(sum[r][v], weights[v], steps);
      }
    }
    for (std::size_t r = 0; r < M; ++r) {
      std::int32_t sums[P * kPanel];
      for (std::size_t v = 0; v < kVectors; ++v) sum[r][v].store(sums + v * kGroup);
      finish(row + r, panel * kPanel, P * kPanel, sums);
    }
  }

 private:
  void finish(std::size_t row, std::size_t column, std::size_t columns,
              const std::int32_t* products) const {
    float raw[4 * kPanel];
    const Whole zero(scales_[row].zero);
    for (std::size_t i = 0; i < columns; i += kLanes) {
      const Whole sums = Whole::load_unaligned(b_.sums + column + i);
      const Whole difference = Whole::load_unaligned(products + i) - zero * sums;
      xsimd::to_float(difference).store_unaligned(raw + i);
    }
    writer_.write(first_ + row, column, std::min(columns, b_.n - column), scales_[row].scale, raw);
  }

  const Integers& b_;
  const Writer& writer_;
  std::size_t first_ = 0;
  const Step* rows_[kRowBlock];
  RowScale scales_[kRowBlock];
};

// Multiplies rows by a part of B.
template <class Dot>
void multiply(const Integers& b, const Writer& writer, const Rows& a, std::size_t m,
              std::size_t k) {
  IntegerProduct<Dot>(b, writer).rows(a, m, k);
}

// Whether the product equals that of a plain loop. Some engines miscompile relaxed dot products:
// V8's baseline compiler in Node 20 the sum of four, until the function is compiled again; in Node
// 24 the sum of two, on CPUs without AVX. The test therefore runs the functions that would be used.
template <class Dot>
bool is_correct() {
  constexpr std::size_t kRows = kRowBlock - 1;  // has whole tiles, pairs and a single row
  constexpr std::size_t kK = 24;
  constexpr std::size_t kColumns = 4 * kPanel;
  std::vector<std::int8_t> weights(kK * kColumns);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] = static_cast<std::int8_t>(static_cast<int>(i * 37 % 255) - kLargestWeight);
  }
  // Each row ranges from 0 to 127, so that quantization leaves its numbers unchanged.
  std::vector<float> a(kRows * kK);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = i % kK == 0 ? kLargestStep : static_cast<float>(i * 29 % (kLargestStep + 1));
  }
  const std::vector<std::int32_t> sums(kColumns, 0);
  const std::vector<float> scales(kColumns, 1.0F);
  std::vector<float> c(kRows * kColumns);
  reserve_blocks(kK);
  const Writer writer{Start::kZero, nullptr, scales.data(), c.data(), kColumns};
  multiply<Dot>({weights.data(), sums.data(), kK, kK, kColumns}, writer, {a.data(), kK}, kRows, kK);
  for (std::size_t i = 0; i < c.size(); ++i) {
    std::int32_t sum = 0;
    for (std::size_t k = 0; k < kK; ++k) {
      // Hidden because the compiler would otherwise use relaxed dot products here, too.
      sum += hidden(static_cast<std::int32_t>(a[i / kColumns * kK + k])) *
             weights[position(k, i % kColumns, kK, kDepth)];
    }
    if (c[i] != static_cast<float>(sum)) return false;
  }
  return true;
}

using Multiply = decltype(&multiply<SafeDot>);

Multiply find_correct_product() {
  if constexpr (std::is_same_v<FastDot, SafeDot>) {
    // Hidden, so that each variant has the message: their difference is 9 kB smaller.
    if (hidden(1) != 0) return multiply<SafeDot>;
  } else {
    if (FastDot::pays() && is_correct<FastDot>()) return multiply<FastDot>;
    if (is_correct<SafeDot>()) return multiply<SafeDot>;
  }
  unsupported_error(
      "this engine miscomputes products of 8-bit numbers in relaxed SIMD; call "
      "ready({ variant: 'simd' })");
}

Multiply correct_product() {
  static const Multiply multiply_part = find_correct_product();
  return multiply_part;
}

}  // namespace

bool all_finite(std::span<const float> numbers) {
  return range_of(numbers.data(), numbers.size()).finite;
}

QuantizedMatrix::QuantizedMatrix(const float* array, const MatrixPlace& place,
                                 Activations activations)
    : k_(place.k),
      n_(place.n),
      group_(activations == Activations::kFloat ? 1 : kDepth),
      data_((Count(up_to(n_, kPanel)) * up_to(k_, group_)).of<std::int8_t>(), std::int8_t{0}),
      steps_(up_to(n_, kPanel), 0.0F),
      sums_(group_ == 1 ? 0 : parts() * up_to(n_, kPanel), 0) {
  if (group_ != 1) {
    // All that products need is made here, because they may not allocate inside a region.
    reserve_blocks(part_depth(k_, group_));
    correct_product();
  }
  Floats scales(up_to(n_, kPanel), 0.0F);  // first the largest magnitudes
  each_row(array, place, [&](std::size_t, std::size_t column, const Vec* numbers) {
    for (std::size_t v = 0; v < kPanelVectors; ++v) {
      float* largest = scales.data() + column + v * kLanes;
      xsimd::max(Vec::load_unaligned(largest), xsimd::abs(numbers[v])).store_unaligned(largest);
    }
  });
  for (std::size_t column = 0; column < n_; ++column) {
    scales[column] = keras_scale(scales[column]);
    steps_[column] = 1 / scales[column];
  }
  each_row(array, place, [&](std::size_t row, std::size_t column, const Vec* numbers) {
    Vec scaled[kPanelVectors];
    for (std::size_t v = 0; v < kPanelVectors; ++v) {
      scaled[v] = numbers[v] * Vec::load_unaligned(scales.data() + column + v * kLanes);
    }
    write_row(row, column, scaled);
  });
}

template <class F>
void QuantizedMatrix::each_row(const float* array, const MatrixPlace& place, F&& f) const {
  for (std::size_t top = 0; top < k_; top += kTileRows) {
    const std::size_t end = std::min(k_, top + kTileRows);
    for (std::size_t column = 0; column < n_; column += kPanel) {
      const std::size_t count = std::min(kPanel, n_ - column);
      const float* from = array + place.first + column * place.column_step;
      for (std::size_t row = top; row < end; ++row) {
        const float* numbers = from + row * place.row_step;
        float rest[kPanel] = {};
        if (count < kPanel || place.column_step != 1) {
          for (std::size_t i = 0; i < count; ++i) rest[i] = numbers[i * place.column_step];
          numbers = rest;
        }
        Vec vectors[kPanelVectors];
        for (std::size_t v = 0; v < kPanelVectors; ++v) {
          vectors[v] = Vec::load_unaligned(numbers + v * kLanes);
        }
        f(row, column, vectors);
      }
    }
  }
}

void QuantizedMatrix::write_row(std::size_t row, std::size_t column, const Vec* numbers) {
  std::int8_t* to = &data_[index(row, column)];
  if (group_ == 1) return eight_bytes(numbers, to);
  std::int8_t rounded[kPanel];
  eight_bytes(numbers, rounded);
  std::int32_t* sums = &sums_[row / kPartDepth * up_to(n_, kPanel) + column];
  for (std::size_t lane = 0; lane < kPanel; ++lane) {
    to[lane * kDepth] = rounded[lane];
    sums[lane] += rounded[lane];
  }
}

std::size_t QuantizedMatrix::index(std::size_t row, std::size_t column) const {
  return position(row, column, up_to(k_, group_), group_);
}

std::size_t QuantizedMatrix::parts() const {
  return up_to(std::max(k_, group_), kPartDepth) / kPartDepth;
}

std::size_t QuantizedMatrix::bytes() const {
  return data_.size() + steps_.size() * sizeof(float) + sums_.size() * sizeof(std::int32_t);
}

void QuantizedMatrix::unpack(float* array, const MatrixPlace& place) const {
  for (std::size_t row = 0; row < k_; ++row) {
    float* to = array + place.first + row * place.row_step;
    for (std::size_t column = 0; column < n_; ++column) {
      to[column * place.column_step] =
          static_cast<float>(data_[index(row, column)]) * steps_[column];
    }
  }
}

bool QuantizedMatrix::runs_in_parts() const {
  return group_ == 1 || step_blocks().size() / members() >= block_size(part_depth(k_, group_));
}

void QuantizedMatrix::product(const Rows& a, std::size_t m, Start start, const float* bias,
                              float* c) const {
  const std::size_t stride = up_to(k_, group_);
  if (group_ == 1) {
    const Writer writer{start, bias, steps_.data(), c, n_};
    const Integers b{data_.data(), nullptr, stride, stride, n_};
    for (std::size_t first = 0; first < m; first += kRowBlock) {
      FloatProduct product{b, writer, a, first};
      tiles<4>(product, std::min(kRowBlock, m - first), b.panels());
    }
    return;
  }
  const Multiply multiply_part = correct_product();
  for (std::size_t part = 0; part < parts(); ++part) {
    const std::size_t first = part * kPartDepth;
    const std::size_t depth = std::min(kPartDepth, stride - first);
    const Writer writer{part == 0 ? start : Start::kAccumulate, bias, steps_.data(), c, n_};
    const Integers b{data_.data() + first * kPanel, sums_.data() + part * up_to(n_, kPanel), depth,
                     stride, n_};
    multiply_part(b, writer, {a.base + first, a.stride, a.index}, m, std::min(depth, k_ - first));
  }
}

}  // namespace maskflow::kernels
