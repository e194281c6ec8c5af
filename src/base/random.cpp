// SPDX-License-Identifier: MIT
#include "base/random.hpp"

#include <bit>
#include <cmath>

namespace maskflow {

namespace {

std::uint64_t after(std::uint64_t state) {
  return state * 6364136223846793005ULL + 1442695040888963407ULL;
}

std::uint32_t output(std::uint64_t state) {
  const auto shifted = static_cast<std::uint32_t>(((state >> 18U) ^ state) >> 27U);
  return std::rotr(shifted, static_cast<int>(state >> 59U));
}

}  // namespace

std::uint32_t Random::next() {
  const std::uint64_t old = state_;
  state_ = after(old);
  return output(old);
}

void Random::fill_uniform(std::span<float> out, double low, double high) {
  const double step = (high - low) * 0x1p-32;
  std::uint64_t state = state_;
  for (float& x : out) {
    x = static_cast<float>(low + step * output(state));
    state = after(state);
  }
  state_ = state;
}

double Random::normal() {
  for (;;) {
    const double x = 2 * uniform() - 1;
    const double y = 2 * uniform() - 1;
    const double square = x * x + y * y;
    if (square > 0 && square < 1) return x * std::sqrt(-2 * std::log(square) / square);
  }
}

}  // namespace maskflow
