// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

namespace maskflow {

// PCG32 (O'Neill 2014, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms
// for Random Number Generation"): small, and the same on every platform. Its sequence is not
// that of Keras.
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
  // Fills `out` with numbers uniform in [low, high]. It is one tight loop because large weights are
  // drawn before an engine has optimised any code.
  void fill_uniform(std::span<float> out, double low, double high);
  // Returns a number from the standard normal distribution, by the polar method (Marsaglia and Bray
  // 1964).
  double normal();

 private:
  std::uint64_t state_;
};

}  // namespace maskflow
