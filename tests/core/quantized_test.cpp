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

// Each element differs by at most half a step of its column's scale.
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

// Compares with the product of the dequantized weights and, for integers, the rounded rows.
TEST(Quantized, ProductsEqualThoseOfTheRoundedNumbers) {
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
            // Tolerance: half a step per element of the row, 0 for floats.
            const double room = activations == Activations::kInt8 ? 0.501 * step * weights : 0;
            EXPECT_NEAR(c[i * n + j], wanted, room + 1e-4) << m << " " << k << " " << n;
          }
        }
      }
    }
  }
}

TEST(Quantized, AcceptsIndexedRowsZerosAndNan) {
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

// 133,144 is the largest number of products 127 · 127 whose sum an int32 holds.
TEST(Quantized, SumsOfManyRowsDoNotOverflow) {
  for (const std::size_t k : {133'144U, 133'145U, 133'149U, 300'001U}) {
    const std::vector<float> ones(2 * k, 1.0F);
    std::vector<float> signs(2 * k, -1.0F);
    std::fill_n(signs.begin(), k, 1.0F);
    std::vector<float> columns(3 * k, 1.0F);
    for (std::size_t row = 0; row < k; ++row) {
      columns[3 * row + 1] = -1;
      columns[3 * row + 2] = row % 2 == 0 ? 1.0F : -1.0F;
    }
    const QuantizedMatrix quantized(columns.data(), {0, k, 3, 3}, Activations::kInt8);
    const auto n = static_cast<float>(k);
    for (const bool turned : {false, true}) {
      const float* rows = turned ? signs.data() : ones.data();
      const float second = turned ? -n : n;
      const float wanted[] = {n,      -n,      static_cast<float>(k % 2),
                              second, -second, static_cast<float>(k % 2) * second / n};
      for (const Start start : {Start::kZero, Start::kBias, Start::kAccumulate}) {
        const float bias[] = {1000, 1000, 1000};
        const float before = start == Start::kZero ? 0 : 1000;
        std::vector<float> c(6, start == Start::kAccumulate ? 1000.0F : 5.0F);
        quantized.product({rows, k}, 2, start, bias, c.data());
        for (std::size_t i = 0; i < c.size(); ++i) {
          EXPECT_NEAR(c[i], wanted[i] + before, 1e-5 * n) << k << " " << i;
        }
      }
    }
  }
}

// Each part of a row has its own scale: no part is less accurate than with one scale for all.
TEST(Quantized, PartsOfLongRowsAreAsAccurateAsOnePart) {
  constexpr std::size_t kK = 140'000;
  const std::vector<float> a = normal(3 * kK, 8);
  const std::vector<float> b = normal(kK * 2, 9);
  const std::int32_t index[] = {2, 0};
  const QuantizedMatrix quantized(b.data(), {0, kK, 2, 2}, Activations::kInt8);
  std::vector<float> rounded(kK * 2);
  quantized.unpack(rounded.data(), {0, kK, 2, 2});
  std::vector<float> c(4);
  quantized.product({a.data(), kK, index}, 2, Start::kZero, nullptr, c.data());
  for (std::size_t i = 0; i < c.size(); ++i) {
    double wanted = 0;
    for (std::size_t p = 0; p < kK; ++p) {
      wanted += static_cast<double>(a[static_cast<std::size_t>(index[i / 2]) * kK + p]) *
                rounded[p * 2 + i % 2];
    }
    // Each term is off by about 9 / 127, and the errors are random.
    EXPECT_NEAR(c[i], wanted, 5 * 0.3 * 9 / 127 * std::sqrt(kK));
  }
}

TEST(Quantized, LargestAndSmallestNumbersGiveFiniteProducts) {
  constexpr float kMax = std::numeric_limits<float>::max();
  constexpr float kLeast = std::numeric_limits<float>::denorm_min();
  struct Row {
    std::vector<float> x;
    float sum;
  };
  const Row cases[] = {{{3e38F, -3e38F, 0, 0}, 0},       {{kMax, -kMax, 0, 0}, 0},
                       {{-kMax, kMax, kMax, -kMax}, 0},  {{3e38F, 0, 0, 0}, 3e38F},
                       {{-3e38F, 0, 0, -0.0F}, -3e38F},  {{3e36F, 3e36F, 3e36F, 3e36F}, 1.2e37F},
                       {{kLeast, 0, 0, 0}, kLeast},      {{1e-40F, -1e-40F, 1e-40F, 0}, 1e-40F},
                       {{1e-38F, 1e-38F, 0, 0}, 2e-38F}, {{-0.0F, -0.0F, -0.0F, -0.0F}, 0},
                       {{2.5F, 2.5F, 2.5F, 2.5F}, 10},   {{-2.5F, -2.5F, -2.5F, -2.5F}, -10}};
  const std::vector<float> columns(4 * 9, 1.0F);
  for (const auto activations : {Activations::kFloat, Activations::kInt8}) {
    const QuantizedMatrix quantized(columns.data(), {0, 4, 9, 9}, activations);
    for (const auto& [x, sum] : cases) {
      const double largest = std::fabs(*std::max_element(
          x.begin(), x.end(), [](float p, float q) { return std::fabs(p) < std::fabs(q); }));
      std::vector<float> c(9);
      quantized.product({x.data(), 4}, 1, Start::kZero, nullptr, c.data());
      for (const float got : c) {
        const double room = activations == Activations::kFloat ? 1e-6 : 4 * 0.51 * 2 / 127;
        EXPECT_NEAR(got, sum, room * largest + 2.4e-38) << largest;
      }
    }
  }
}

TEST(Quantized, RowsWithNanAffectOnlyTheirOwnResults) {
  const float odd[] = {std::numeric_limits<float>::infinity(),
                       -std::numeric_limits<float>::infinity(),
                       std::numeric_limits<float>::quiet_NaN()};
  const std::vector<float> columns(5 * 3, 1.0F);
  for (const auto activations : {Activations::kFloat, Activations::kInt8}) {
    const QuantizedMatrix quantized(columns.data(), {0, 5, 3, 3}, activations);
    for (const float number : odd) {
      std::vector<float> a(7 * 5, 1.0F);
      a[3 * 5 + 4] = number;
      std::vector<float> c(7 * 3);
      quantized.product({a.data(), 5}, 7, Start::kZero, nullptr, c.data());
      for (std::size_t i = 0; i < c.size(); ++i) {
        EXPECT_EQ(std::isfinite(c[i]), i / 3 != 3) << i;
        const bool is_right = i / 3 == 3 || std::fabs(c[i] - 5) < 1e-5F;
        EXPECT_TRUE(is_right) << c[i];
      }
    }
  }
}

TEST(Quantized, LayersStayQuantizedUntilAWeightIsSet) {
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
