// SPDX-License-Identifier: MIT
#include "kernels/scan.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace maskflow {
namespace {

using Floats = std::vector<float>;

constexpr std::size_t kSizes[] = {1, 2, 3, 4, 5, 8, 9, 17};

TEST(AllFinite, FindsNanAndInfinitiesAtAnyPosition) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(kernels::all_finite(nullptr, 0));
  for (const std::size_t n : kSizes) {
    Floats x(n, std::numeric_limits<float>::max());
    EXPECT_TRUE(kernels::all_finite(x.data(), n));
    for (std::size_t at = 0; at < n; ++at) {
      for (const float bad : {NAN, kInfinity, -kInfinity}) {
        x[at] = bad;
        EXPECT_FALSE(kernels::all_finite(x.data(), n)) << at << " of " << n;
        x[at] = -1;
      }
    }
  }
}

TEST(AllZero, FindsNonZerosAtAnyPosition) {
  EXPECT_TRUE(kernels::all_zero(nullptr, 0));
  for (const std::size_t n : kSizes) {
    Floats x(n, -0.0F);
    EXPECT_TRUE(kernels::all_zero(x.data(), n));
    for (std::size_t at = 0; at < n; ++at) {
      for (const float other : {NAN, 1.0F, -std::numeric_limits<float>::denorm_min()}) {
        x[at] = other;
        EXPECT_FALSE(kernels::all_zero(x.data(), n)) << at << " of " << n;
        x[at] = 0;
      }
    }
  }
}

}  // namespace
}  // namespace maskflow
