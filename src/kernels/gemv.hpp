// SPDX-License-Identifier: MIT
// One row times a few panels of a packed matrix: what the steps of a single sequence, or of a
// stream, consist of. It loads a vector of weights for each multiply-add and does little else.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "kernels/hidden.hpp"
#include "kernels/simd.hpp"

namespace maskflow::kernels {

// P panels, each rows of V vectors after one another.
template <std::size_t P, std::size_t V>
class Gemv {
 public:
  static constexpr std::size_t kColumns = P * V;
  static constexpr std::size_t kPanel = V * kLanes;
  static_assert(kColumns % 2 == 0 && 2 * kLanes <= 32);

  Gemv(const float* row, const float* const (&panels)[P]) : row_(row) {
    for (std::size_t p = 0; p < P; ++p) panels_[p] = hidden(panels[p]);
  }

  void add_to(Vec (&sum)[kColumns], std::size_t k_end) {
    std::copy_n(sum, kColumns, sum_);
    multiply(k_end);
    std::copy_n(sum_, kColumns, sum);
  }

 private:
  [[gnu::always_inline]] void multiply(std::size_t k_end) {
    std::size_t k = 0;
    for (; k + kLanes <= k_end; k += kLanes) {
      // Loaded once and shuffled: a splat from memory would be one more load in nine.
      const Vec xs = Vec::load_unaligned(row_ + k);
      if (!steps(xs, k * kPanel, std::make_index_sequence<kLanes>())) return;
    }
    for (; k < k_end; ++k) {
      const Vec x(row_[k]);
      half<0>(x, k * kPanel, 0);
      half<0>(x, k * kPanel, kColumns / 2);
    }
  }

  template <std::size_t Lane>
  struct Everywhere {
    static constexpr std::uint32_t get(std::uint32_t /*lane*/, std::uint32_t /*lanes*/) {
      return Lane;
    }
  };

  template <std::size_t K>
  [[gnu::always_inline]] void half(const Vec& x, std::size_t row, std::size_t first) {
    Vec columns[kColumns / 2];
    for (std::size_t v = 0; v < kColumns / 2; ++v) {
      const std::size_t at = first + v;
      columns[v] = Vec::load_unaligned(panels_[at / V] + row + (K * V + at % V) * kLanes);
    }
    for (std::size_t v = 0; v < kColumns / 2; ++v) {
      sum_[first + v] = xsimd::fma(x, columns[v], sum_[first + v]);
    }
  }

  template <std::size_t Lane>
  [[gnu::always_inline]] bool step(const Vec& xs, std::size_t row) {
    using Splat = Everywhere<Lane>;
    const Vec x =
        xsimd::swizzle(xs, xsimd::make_batch_constant<std::uint32_t, Vec::arch_type, Splat>());
    half<Lane>(x, row, 0);
    if ((never_ >> (2 * Lane) & 1) != 0) return false;
    half<Lane>(x, row, kColumns / 2);
    return (never_ >> (2 * Lane + 1) & 1) == 0;
  }

  template <std::size_t... Lanes>
  [[gnu::always_inline]] bool steps(const Vec& xs, std::size_t row,
                                    std::index_sequence<Lanes...> /*lanes*/) {
    return (step<Lanes>(xs, row) && ...);
  }

  const float* row_;
  const float* panels_[P];
  Vec sum_[kColumns];
  // For the sake of Node 20's compiler. That moves all loads of a block of instructions before the
  // multiply-adds: eight sums, eight vectors of weights and one of x are more than there are
  // registers, a sum went through memory at each step, and all took 2.4 times as long. So a branch
  // on a bit that is never set ends a block after half of the columns; addresses are hidden because
  // they would be computed again behind each such branch.
  std::uint32_t never_ = hidden(std::uint32_t{0});
};

}  // namespace maskflow::kernels
