// SPDX-License-Identifier: MIT
#include "kernels/quantized_rows.hpp"

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
  float largest = 0;
  for (std::size_t i = 0; i < n; ++i) largest = std::fmax(largest, std::fabs(x[i]));
  const float scale = keras_scale(largest);
  std::memset(to, 0, quantized_row_bytes(n));
  std::memcpy(to, &scale, sizeof(scale));
  for (std::size_t i = 0; i < n; ++i) {
    const auto q = static_cast<std::int8_t>(std::nearbyint(x[i] * scale));
    to[sizeof(scale) + i] = static_cast<std::byte>(q);
  }
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
