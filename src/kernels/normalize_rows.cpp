// SPDX-License-Identifier: MIT
#include "kernels/normalize_rows.hpp"

#include <cmath>

#include "kernels/row_sum.hpp"

namespace maskflow::kernels {
namespace {

// The mean of (x - shift)^2.
float mean_square(const float* x, std::size_t n, float shift) {
  const auto square = [](const auto& difference) { return difference * difference; };
  const float sum = row_sum(
      n, [&](std::size_t i) { return square(Vec::load_unaligned(x + i) - Vec(shift)); },
      [&](std::size_t i) { return square(x[i] - shift); });
  return sum / static_cast<float>(n);
}

// kScaled, kMoved: whether there is a gamma, a beta.
template <bool kScaled, bool kMoved>
void scale(const float* x, std::size_t n, float shift, float factor, const RowScaling& scaling,
           float* out) {
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    Vec by(factor);
    if constexpr (kScaled) by *= Vec::load_unaligned(scaling.gamma + i);
    Vec result = (Vec::load_unaligned(x + i) - Vec(shift)) * by;
    if constexpr (kMoved) result += Vec::load_unaligned(scaling.beta + i);
    result.store_unaligned(out + i);
  }
  for (; i < n; ++i) {
    const float result = (x[i] - shift) * (kScaled ? factor * scaling.gamma[i] : factor);
    out[i] = kMoved ? result + scaling.beta[i] : result;
  }
}

}  // namespace

void normalize_rows(const float* x, std::size_t rows, std::size_t width, const RowScaling& scaling,
                    float* out) {
  const bool scaled = scaling.gamma != nullptr;
  const bool moved = scaling.beta != nullptr;
  const auto apply = scaled ? (moved ? scale<true, true> : scale<true, false>)
                            : (moved ? scale<false, true> : scale<false, false>);
  for (std::size_t row = 0; row < rows; ++row, x += width, out += width) {
    const float mean =
        scaling.spread == Spread::kVariance ? row_sum(x, width) / static_cast<float>(width) : 0.0F;
    const float spread = mean_square(x, width, mean);
    apply(x, width, scaling.centred ? mean : 0.0F, 1.0F / std::sqrt(spread + scaling.epsilon),
          scaling, out);
  }
}

}  // namespace maskflow::kernels
