// SPDX-License-Identifier: MIT
#include "kernels/depthwise.hpp"

#include <gtest/gtest.h>

#include "support/random.hpp"

namespace maskflow {
namespace {

std::vector<float> random_vector(test::Rng& rng, std::size_t size) {
  std::vector<float> result(size);
  for (float& x : result) x = rng.real();
  return result;
}

// Vectors have exactly the elements that may be read or written, so that the sanitizer reports
// others.
TEST(Depthwise, EqualsTheDoubleLoop) {
  for (const std::size_t taps : {1UL, 2UL, 5UL}) {
    for (std::size_t n = 0; n <= 35; ++n) {
      for (const std::size_t step : {n, 2 * n, n + 3}) {
        SCOPED_TRACE(testing::Message() << "n " << n << ", taps " << taps << ", step " << step);
        test::Rng rng(n * 10 + taps);
        const std::vector<float> x = random_vector(rng, (taps - 1) * step + n);
        const std::vector<float> w = random_vector(rng, taps * n);
        const std::vector<float> bias = random_vector(rng, n);
        std::vector<float> with(n);
        std::vector<float> without(n);
        kernels::depthwise(x.data(), step, w.data(), taps, bias.data(), with.data(), n);
        kernels::depthwise(x.data(), step, w.data(), taps, nullptr, without.data(), n);
        for (std::size_t i = 0; i < n; ++i) {
          double sum = 0;
          for (std::size_t k = 0; k < taps; ++k) {
            sum += static_cast<double>(x[k * step + i]) * static_cast<double>(w[k * n + i]);
          }
          EXPECT_NEAR(static_cast<double>(without[i]), sum, 1e-6);
          EXPECT_NEAR(static_cast<double>(with[i]), sum + static_cast<double>(bias[i]), 1e-6);
        }
      }
    }
  }
}

}  // namespace
}  // namespace maskflow
