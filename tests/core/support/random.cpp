// SPDX-License-Identifier: MIT
#include "support/random.hpp"

namespace maskflow::test {

Tensor random_floats(Rng& rng, const Shape& shape, float scale) {
  Tensor result(DType::kFloat32, shape);
  for (float& x : result.mutable_data<float>()) x = rng.real(scale);
  return result;
}

Tensor random_ints(Rng& rng, const Shape& shape, int low, int high) {
  Tensor result(DType::kInt32, shape);
  for (std::int32_t& x : result.mutable_data<std::int32_t>()) x = rng.integer(low, high);
  return result;
}

std::vector<std::uint8_t> random_keep(Rng& rng, int batch, int time) {
  enum Kind { kAllKept, kAllMasked, kLeft, kRight, kHole, kNoise, kKinds };
  std::vector<std::uint8_t> keep;
  for (int row = 0; row < batch; ++row) {
    const int kind = rng.integer(0, kKinds - 1);
    const int cut = rng.integer(0, time);
    const int end = rng.integer(cut, time);
    for (int t = 0; t < time; ++t) {
      bool keeps = kind == kAllKept;
      if (kind == kLeft) keeps = t >= cut;
      if (kind == kRight) keeps = t < cut;
      if (kind == kHole) keeps = t < cut || t >= end;
      if (kind == kNoise) keeps = rng.chance(0.5);
      keep.push_back(keeps ? 1 : 0);
    }
  }
  return keep;
}

}  // namespace maskflow::test
