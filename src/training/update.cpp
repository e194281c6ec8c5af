// SPDX-License-Identifier: MIT
#include "training/update.hpp"

#include <cmath>

namespace maskflow {

double sum_of_squares(const float* numbers, std::size_t n) {
  using kernels::kLanes;
  using kernels::Vec;
  // Each block is summed in float, which is exact enough for its size; blocks are added in double.
  constexpr std::size_t kBlock = 1024;
  double sum = 0;
  for (std::size_t first = 0; first < n; first += kBlock) {
    const std::size_t last = std::min(n, first + kBlock);
    Vec squares(0.0F);
    std::size_t i = first;
    for (; i + kLanes <= last; i += kLanes) {
      const Vec x = Vec::load_unaligned(numbers + i);
      squares += x * x;
    }
    sum += static_cast<double>(xsimd::reduce_add(squares));
    for (; i < last; ++i) sum += static_cast<double>(numbers[i] * numbers[i]);
  }
  return sum;
}

void decay_weights(const Step& step) {
  if (step.decay == 1) return;
  for (std::size_t i = 0; i < step.size; ++i) step.weights[i] *= step.decay;
}

}  // namespace maskflow
