// SPDX-License-Identifier: MIT
// Matrices in 8 bits, their products, and layers that use them.
#include "kernels/quantized.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "layer/quantize.hpp"
#include "support/layers.hpp"

namespace maskflow {
namespace {

using kernels::Activations;
using kernels::QuantizedMatrix;
using kernels::Start;

std::vector<float> normal(std::size_t n, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<float> distribution;
  std::vector<float> values(n);
  for (float& value : values) value = distribution(engine);
  return values;
}

struct Sizes {
  std::size_t m, k, n;
};
constexpr Sizes kSizes[] = {{1, 1, 1},   {1, 64, 40}, {2, 7, 9},    {3, 64, 8},
                            {5, 33, 77}, {13, 8, 16}, {49, 65, 31}, {100, 20, 72}};

// Elements are off by at most half a step of their column's scale.
TEST(Quantized, WeightsAreOffByHalfAStep) {
  for (const auto activations : {Activations::kFloat, Activations::kInt8}) {
    for (const auto [m, k, n] : kSizes) {
      const std::vector<float> b = normal(k * n, 1);
      const QuantizedMatrix quantized(b.data(), {0, k, n, n}, activations);
      std::vector<float> back(k * n);
      quantized.unpack(back.data(), {0, k, n, n});
      for (std::size_t column = 0; column < n; ++column) {
        float largest = 0;
        for (std::size_t row = 0; row < k; ++row) {
          largest = std::max(largest, std::fabs(b[row * n + column]));
        }
        for (std::size_t row = 0; row < k; ++row) {
          const std::size_t at = row * n + column;
          EXPECT_LE(std::fabs(back[at] - b[at]), largest / 254 * 1.001F);
        }
      }
    }
  }
}

// Against the product of what the weights (and, for whole numbers, the rounded rows) stand for.
TEST(Quantized, ProductsAreThoseOfTheRoundedNumbers) {
  for (const auto activations : {Activations::kFloat, Activations::kInt8}) {
    for (const auto [m, k, n] : kSizes) {
      const std::vector<float> a = normal(m * k, 2);
      const std::vector<float> b = normal(k * n, 3);
      const std::vector<float> bias = normal(n, 4);
      const QuantizedMatrix quantized(b.data(), {0, k, n, n}, activations);
      std::vector<float> rounded(k * n);
      quantized.unpack(rounded.data(), {0, k, n, n});
      for (const Start start : {Start::kZero, Start::kBias, Start::kAccumulate}) {
        std::vector<float> c(m * n, 0.25F);
        quantized.product({a.data(), k}, m, start, bias.data(), c.data());
        for (std::size_t i = 0; i < m; ++i) {
          const auto [low, high] = std::minmax_element(&a[i * k], &a[i * k] + k);
          const double step = (std::max(*high, 0.0F) - std::min(*low, 0.0F)) / 127.0;
          for (std::size_t j = 0; j < n; ++j) {
            double wanted = start == Start::kZero ? 0 : start == Start::kBias ? bias[j] : 0.25;
            double weights = 0;
            for (std::size_t p = 0; p < k; ++p) {
              wanted += static_cast<double>(a[i * k + p]) * rounded[p * n + j];
              weights += std::fabs(rounded[p * n + j]);
            }
            // Half a step per element of the row, and nothing for floats.
            const double room = activations == Activations::kInt8 ? 0.501 * step * weights : 0;
            EXPECT_NEAR(c[i * n + j], wanted, room + 1e-4) << m << " " << k << " " << n;
          }
        }
      }
    }
  }
}

TEST(Quantized, RowsIndexedRowsOfZerosAndNan) {
  constexpr std::size_t kK = 9;
  std::vector<float> a = normal(3 * kK, 5);
  std::fill_n(a.begin() + kK, kK, 0.0F);
  a[2 * kK + 4] = std::numeric_limits<float>::infinity();
  const std::vector<float> b = normal(kK * 5, 6);
  const std::int32_t index[] = {1, 2, 0};
  const QuantizedMatrix quantized(b.data(), {0, kK, 5, 5}, Activations::kInt8);
  std::vector<float> c(15);
  quantized.product({a.data(), kK, index}, 3, Start::kZero, nullptr, c.data());
  for (std::size_t j = 0; j < 5; ++j) {
    EXPECT_EQ(c[j], 0);
    EXPECT_TRUE(std::isnan(c[5 + j]));
    EXPECT_TRUE(std::isfinite(c[10 + j]));
  }
}

TEST(Quantized, LayersUseItUntilAWeightIsSet) {
  const LayerPtr lstm = test::make("LSTM", {{"units", 20}});
  const Tensor x = test::floats({2, 3, 4}, normal(24, 7));
  const Tensor before = (*lstm)(x);
  const Tensors weights{lstm->weights()[0].variable->value(), lstm->weights()[1].variable->value(),
                        lstm->weights()[2].variable->value()};
  const std::vector<QuantizedWeight> done = quantize(*lstm, Activations::kFloat);
  ASSERT_EQ(done.size(), 3U);
  EXPECT_FALSE(done[2].quantized) << done[2].path;
  EXPECT_TRUE(done[0].path.ends_with("/kernel")) << done[0].path;
  EXPECT_EQ(done[1].bytes_before, 20U * 80U * 4U);
  EXPECT_LT(done[1].bytes, done[1].bytes_before / 2);
  const Tensor after = (*lstm)(x);
  EXPECT_FALSE(test::same_bits(after, before));
  for (std::size_t i = 0; i < after.size(); ++i) {
    EXPECT_NEAR(after.data<float>()[i], before.data<float>()[i], 0.02);
  }
  lstm->set_weights(weights);
  EXPECT_TRUE(test::same_bits((*lstm)(x), before));
}

}  // namespace
}  // namespace maskflow
