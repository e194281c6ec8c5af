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
  Vec maxima(0.0F);
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    maxima = xsimd::max(maxima, xsimd::abs(Vec::load_unaligned(x + i)));
  }
  if (i < n) maxima = xsimd::max(maxima, xsimd::abs(load_partial(x + i, n - i)));
  const float scale = keras_scale(xsimd::reduce_max(maxima));
  std::memset(to, 0, quantized_row_bytes(n));
  std::memcpy(to, &scale, sizeof(scale));
  auto* q = reinterpret_cast<std::int8_t*>(to + sizeof(scale));
  const auto round = [&](const float* numbers, std::int8_t* bytes) {
    Vec scaled[kEight / kLanes];
    for (std::size_t v = 0; v < kEight / kLanes; ++v) {
      scaled[v] = Vec::load_unaligned(numbers + v * kLanes) * Vec(scale);
    }
    eight_bytes(scaled, bytes);
  };
  for (i = 0; i + kEight <= n; i += kEight) round(x + i, q + i);
  if (i == n) return;
  float rest[kEight] = {};
  std::int8_t bytes[kEight];
  std::copy_n(x + i, n - i, rest);
  round(rest, bytes);
  std::copy_n(bytes, n - i, q + i);
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
