// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

namespace maskflow {

// PCG32 (O'Neill 2014, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms
// for Random Number Generation"): small, the same on every platform. Not the sequence of Keras.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(0) {
    next();
    state_ += seed;
    next();
  }
  std::uint32_t next();
  // Uniform in [0, 1).
  double uniform() { return next() * 0x1p-32; }
  // Fills with numbers uniform in [low, high]: a loop of its own, for large weights are drawn
  // before any code has been optimised.
  void fill_uniform(std::span<float> out, double low, double high);
  // Standard normal (Marsaglia and Bray 1964, the polar method).
  double normal();

 private:
  std::uint64_t state_;
};

}  // namespace maskflow
