// SPDX-License-Identifier: MIT
#include "kernels/quantized_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "kernels/integer_dot.hpp"
#include "kernels/quantized.hpp"

namespace maskflow::kernels {

std::size_t quantized_row_bytes(std::size_t n) {
  return (sizeof(float) + n + sizeof(float) - 1) / sizeof(float) * sizeof(float);
}

void quantize_row(const float* x, std::size_t n, std::byte* to) {
  constexpr std::size_t kEight = 8;
  // Eight maxima and eight numbers at a time, which the compiler computes as vectors.
  float maxima[kEight] = {};
  std::size_t i = 0;
  for (; i + kEight <= n; i += kEight) {
    for (std::size_t j = 0; j < kEight; ++j) maxima[j] = std::max(maxima[j], std::fabs(x[i + j]));
  }
  for (; i < n; ++i) maxima[0] = std::max(maxima[0], std::fabs(x[i]));
  const float scale = keras_scale(*std::ranges::max_element(maxima));
  std::memset(to, 0, quantized_row_bytes(n));
  std::memcpy(to, &scale, sizeof(scale));
  const auto round = [&](float number) {
    return static_cast<std::byte>(static_cast<std::int8_t>(std::nearbyint(number * scale)));
  };
  std::byte* q = to + sizeof(scale);
  for (i = 0; i + kEight <= n; i += kEight) {
    for (std::size_t j = 0; j < kEight; ++j) q[i + j] = round(x[i + j]);
  }
  for (; i < n; ++i) q[i] = round(x[i]);
}

void read_quantized_row(const std::byte* from, std::size_t n, float* to) {
  constexpr std::size_t kEight = 8;
  float scale = 0;
  std::memcpy(&scale, from, sizeof(scale));
  const auto* q = reinterpret_cast<const std::int8_t*>(from + sizeof(scale));
  std::size_t i = 0;
  for (; i + kEight <= n; i += kEight) {
    Vec floats[kEight / kLanes];
    eight_floats(q + i, floats);
    for (std::size_t v = 0; v < kEight / kLanes; ++v) {
      (floats[v] / Vec(scale)).store_unaligned(to + i + v * kLanes);
    }
  }
  for (; i < n; ++i) to[i] = static_cast<float>(q[i]) / scale;
}

}  // namespace maskflow::kernels
