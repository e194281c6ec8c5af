// SPDX-License-Identifier: MIT
// Random test data. A test names its seed by SCOPED_TRACE, so that a failure can be reproduced.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tensor/tensor.hpp"

namespace maskflow::test {

class Rng {
 public:
  explicit Rng(std::uint64_t seed) : seed_(seed), engine_(seed) {}
  // Returns a text for SCOPED_TRACE, so that a failure reports the seed.
  [[nodiscard]] std::string trace() const { return "seed " + std::to_string(seed_); }
  // Returns a uniform integer in low .. high, both included. It avoids
  // std::uniform_int_distribution, whose numbers differ between standard libraries: a seed must
  // mean the same everywhere.
  int integer(int low, int high) {
    const auto range = static_cast<std::uint64_t>(high - low) + 1;
    return low + static_cast<int>(engine_() % range);
  }
  // Returns a uniform number in -scale .. scale.
  float real(float scale = 1) {
    return scale * (static_cast<float>(engine_() >> 40U) * 0x1p-23F - 1.0F);
  }
  bool chance(double probability) {
    return static_cast<double>(engine_() >> 11U) * 0x1p-53 < probability;
  }

 private:
  std::uint64_t seed_;
  std::mt19937_64 engine_;
};

[[nodiscard]] Tensor random_floats(Rng& rng, const Shape& shape, float scale = 1);
[[nodiscard]] Tensor random_ints(Rng& rng, const Shape& shape, int low, int high);

// Returns batch * time bytes, 1 = keep. Each row has a random kind of mask: all kept, all masked,
// padded left, padded right, one hole, or noise.
[[nodiscard]] std::vector<std::uint8_t> random_keep(Rng& rng, int batch, int time);

}  // namespace maskflow::test
