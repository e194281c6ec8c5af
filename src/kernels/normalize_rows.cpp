// SPDX-License-Identifier: MIT
#include "kernels/normalize_rows.hpp"

#include <cmath>

#include "kernels/row_sum.hpp"
#include "kernels/team.hpp"

namespace maskflow::kernels {
namespace {

// The mean, as a distance from the first number: exact for rows of equal numbers, where an error of
// one unit in the last place would be divided by sqrt(epsilon).
float mean_of(const float* x, std::size_t n) {
  const float first = n > 0 ? x[0] : 0.0F;
  const float sum = row_sum(
      n, [&](std::size_t i) { return Vec::load_unaligned(x + i) - Vec(first); },
      [&](std::size_t i) { return x[i] - first; });
  return first + sum / static_cast<float>(n);
}

// The mean of (x - shift)^2.
float mean_square(const float* x, std::size_t n, float shift) {
  const auto square = [](const auto& difference) { return difference * difference; };
  const float sum = row_sum(
      n, [&](std::size_t i) { return square(Vec::load_unaligned(x + i) - Vec(shift)); },
      [&](std::size_t i) { return square(x[i] - shift); });
  return sum / static_cast<float>(n);
}

// The tests inside the loop have no measurable cost.
void scale(const float* x, std::size_t n, float shift, float factor, const RowScaling& scaling,
           float* out) {
  const auto [spread, centred, epsilon, gamma, beta] = scaling;
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const Vec scale = gamma != nullptr ? Vec(factor) * Vec::load_unaligned(gamma + i) : Vec(factor);
    const Vec result = (Vec::load_unaligned(x + i) - Vec(shift)) * scale;
    (beta != nullptr ? result + Vec::load_unaligned(beta + i) : result).store_unaligned(out + i);
  }
  for (; i < n; ++i) {
    const float result = (x[i] - shift) * (gamma != nullptr ? factor * gamma[i] : factor);
    out[i] = beta != nullptr ? result + beta[i] : result;
  }
}

}  // namespace

void normalize_rows(const float* x, std::size_t rows, std::size_t width, const RowScaling& scaling,
                    float* out) {
  parallel_rows(rows, 4 * width, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const float* const from = x + row * width;
      const float mean = scaling.spread == Spread::kVariance ? mean_of(from, width) : 0.0F;
      const float spread = mean_square(from, width, mean);
      scale(from, width, scaling.centred ? mean : 0.0F, 1.0F / std::sqrt(spread + scaling.epsilon),
            scaling, out + row * width);
    }
  });
}

}  // namespace maskflow::kernels
