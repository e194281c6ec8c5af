// SPDX-License-Identifier: MIT
// One pass over the numbers of a variable, its gradient and its slots.
#pragma once

#include <array>
#include <utility>

#include "kernels/simd.hpp"
#include "kernels/team.hpp"
#include "training/optimizer.hpp"

namespace maskflow {

// Returns the scaled and clipped gradient. Clips by comparisons, because minima would lose NaN.
class ClippedGradient {
 public:
  explicit ClippedGradient(const Step& step)
      : scale_(step.scale), low_(-step.limit), high_(step.limit) {}
  [[nodiscard]] kernels::Vec operator()(const float* from) const {
    const kernels::Vec g = kernels::Vec::load_unaligned(from) * scale_;
    return xsimd::select(g > high_, high_, xsimd::select(g < low_, low_, g));
  }

 private:
  kernels::Vec scale_, low_, high_;
};

// Calls f(w, g, slots) for each vector of weights, gradient and slots; f changes w and slots in
// place. `n` is a multiple of the vector size. The slots are a parameter pack: a loop over them
// would not be unrolled when compiling for size, and the vectors would stay in memory.
template <std::size_t... K, class F>
void update_vectors(const Step& step, float* weights, const float* gradient, std::size_t n,
                    [[maybe_unused]] std::array<float*, sizeof...(K)> slots,
                    std::index_sequence<K...>, const F& f) {
  using kernels::Vec;
  const ClippedGradient clipped(step);
  const Vec decay(step.decay);
  for (std::size_t i = 0; i < n; i += kernels::kLanes) {
    Vec w = Vec::load_unaligned(weights + i) * decay;
    std::array<Vec, sizeof...(K)> s{Vec::load_unaligned(slots[K] + i)...};
    f(w, clipped(gradient + i), s);
    w.store_unaligned(weights + i);
    (s[K].store_unaligned(slots[K] + i), ...);
  }
}

// Returns the addresses `first` numbers behind these.
template <std::size_t N>
std::array<float*, N> moved(std::array<float*, N> slots, std::size_t first) {
  for (float*& slot : slots) slot += first;
  return slots;
}

// Calls f for all elements of a variable, in order. The last, incomplete vector is filled up with
// zeros. `run` calls its argument for ranges of the whole vectors.
template <std::size_t N, class F, class Run>
void update_ranges(const Step& step, const F& f, const Run& run) {
  using kernels::kLanes;
  constexpr std::make_index_sequence<N> kSlots;
  std::array<float*, N> slots;
  std::copy_n(step.slots.begin(), N, slots.begin());
  const std::size_t rest = step.size % kLanes;
  const std::size_t whole = step.size - rest;
  run(whole, [&](std::size_t begin, std::size_t end) {
    update_vectors(step, step.weights + begin, step.gradient + begin, end - begin,
                   moved(slots, begin), kSlots, f);
  });
  if (rest == 0) return;
  float last[N + 2][kLanes] = {};
  std::copy_n(step.weights + whole, rest, last[0]);
  std::copy_n(step.gradient + whole, rest, last[1]);
  std::array<float*, N> last_slots;
  for (std::size_t k = 0; k < N; ++k) {
    last_slots[k] = last[k + 2];
    std::copy_n(slots[k] + whole, rest, last_slots[k]);
  }
  update_vectors(step, last[0], last[1], kLanes, last_slots, kSlots, f);
  std::copy_n(last[0], rest, step.weights + whole);
  for (std::size_t k = 0; k < N; ++k) std::copy_n(last_slots[k], rest, slots[k] + whole);
}

// Calls f for all elements of a variable, in any order and on several threads.
template <std::size_t N, class F>
void update_each(const Step& step, const F& f) {
  update_ranges<N>(step, f, [](std::size_t n, const auto& range) {
    // Time of an element in multiply-adds: Adam's takes 1.2 ns, with a division and a root.
    constexpr std::size_t kWork = 32;
    kernels::parallel_elements(n, kWork, range);
  });
}

// Calls f for all elements of a variable in their order: f may sum them.
template <std::size_t N, class F>
void update_in_order(const Step& step, const F& f) {
  update_ranges<N>(step, f, [](std::size_t n, const auto& range) { range(0, n); });
}

// Returns the step for a second pass, whose weights have already decayed.
[[nodiscard]] inline Step after_decay(Step step) {
  step.decay = 1;
  return step;
}

// Returns the sum of the squares of n numbers, or its root.
[[nodiscard]] double sum_of_squares(const float* numbers, std::size_t n);
[[nodiscard]] inline float norm(const float* numbers, std::size_t n) {
  return static_cast<float>(std::sqrt(sum_of_squares(numbers, n)));
}
// Multiplies the weights by `decay`, for rules that need all decayed weights first.
void decay_weights(const Step& step);

}  // namespace maskflow
