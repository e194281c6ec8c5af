// SPDX-License-Identifier: MIT
// The kernels of pooling equal plain loops, and pooling layers equal their definition.
#include "kernels/pooling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/layers.hpp"

namespace maskflow {
namespace {

using test::close;
using test::floats;
using test::make;
using test::masked;
using test::random_floats;
using test::random_keep;
using test::Rng;
using test::same_bits;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// Numbers of features around each vector width and each block of vectors.
constexpr std::size_t kWidths[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 40, 65, 100};

TEST(Pooling, SumsTheKeptRows) {
  Rng rng(1);
  for (const std::size_t width : kWidths) {
    for (const std::size_t rows : {0UL, 1UL, 2UL, 9UL}) {
      std::vector<float> x(rows * width);
      std::vector<std::uint8_t> keep(rows);
      for (float& value : x) value = rng.real();
      for (std::uint8_t& k : keep) k = rng.chance(0.6) ? 1 : 0;
      std::vector<float> all(width, kNan);
      std::vector<float> some(width, kNan);
      kernels::sum_rows(x.data(), rows, width, nullptr, all.data());
      kernels::sum_rows(x.data(), rows, width, keep.data(), some.data());
      for (std::size_t i = 0; i < width; ++i) {
        float sum = 0;
        float kept = 0;
        for (std::size_t row = 0; row < rows; ++row) {
          sum += x[row * width + i];
          if (keep[row] != 0) kept += x[row * width + i];
        }
        EXPECT_EQ(all[i], sum) << width << " " << rows << " " << i;
        EXPECT_EQ(some[i], kept) << width << " " << rows << " " << i;
      }
    }
  }
}

TEST(Pooling, FindsTheLargest) {
  Rng rng(2);
  for (const std::size_t width : kWidths) {
    std::vector<float> x(6 * width);
    for (float& value : x) value = rng.chance(0.2) ? -kInfinity : rng.real();
    std::vector<float> out(width);
    kernels::max_rows(x.data(), 6, width, out.data());
    for (std::size_t i = 0; i < width; ++i) {
      float largest = -kInfinity;
      for (std::size_t row = 0; row < 6; ++row) largest = std::max(largest, x[row * width + i]);
      EXPECT_EQ(out[i], largest) << width << " " << i;
    }
    x[3 * width + width / 2] = kNan;
    kernels::max_rows(x.data(), 6, width, out.data());
    EXPECT_TRUE(std::isnan(out[width / 2])) << width;
  }
}

// Computes the mean or maximum of the steps within [first, first + size), step by step.
Tensor naive(const Tensor& x, bool largest, int size, int stride, bool same) {
  const auto time = static_cast<int>(x.shape()[1]);
  const auto width = static_cast<int>(x.shape()[2]);
  const int steps = same ? (time + stride - 1) / stride : (time - size) / stride + 1;
  const int needed = std::max(0, (steps - 1) * stride + size - time);
  Tensor result(DType::kFloat32, {x.shape()[0], steps, width});
  float* out = result.mutable_floats();
  for (int b = 0; b < static_cast<int>(x.shape()[0]); ++b) {
    for (int step = 0; step < steps; ++step) {
      for (int i = 0; i < width; ++i) {
        double total = largest ? -kInfinity : 0;
        int count = 0;
        const int first = step * stride - (same ? needed / 2 : 0);
        for (int t = std::max(0, first); t < std::min(time, first + size); ++t, ++count) {
          const double value =
              x.data<float>()[static_cast<std::size_t>((b * time + t) * width + i)];
          total = largest ? std::max(total, value) : total + value;
        }
        *out++ = static_cast<float>(largest ? total : total / count);
      }
    }
  }
  return result;
}

TEST(PoolingLayers, EqualTheDefinition) {
  Rng rng(3);
  for (const bool largest : {false, true}) {
    for (const bool same : {false, true}) {
      for (int size = 1; size <= 5; ++size) {
        for (int stride = 1; stride <= 4; ++stride) {
          const Tensor x = random_floats(rng, {2, rng.integer(5, 12), rng.integer(1, 20)});
          const LayerPtr layer = make(
              largest ? "MaxPooling1D" : "AveragePooling1D",
              {{"pool_size", size}, {"strides", stride}, {"padding", same ? "same" : "valid"}});
          EXPECT_TRUE(close((*layer)(x), naive(x, largest, size, stride, same)))
              << largest << same << size << stride;
        }
      }
    }
  }
}

TEST(PoolingLayers, AdaptiveWindowsCoverAllSteps) {
  const Tensor x = floats({1, 5, 1}, {1, 2, 3, 4, 5});
  EXPECT_TRUE(same_bits((*make("AdaptiveMaxPooling1D", {{"output_size", 2}}))(x),
                        floats({1, 2, 1}, {3, 5})));
  EXPECT_TRUE(same_bits((*make("AdaptiveAveragePooling1D", {{"output_size", 2}}))(x),
                        floats({1, 2, 1}, {2, 4})));
  EXPECT_TRUE(same_bits((*make("AdaptiveMaxPooling1D", {{"output_size", 7}}))(x),
                        floats({1, 7, 1}, {1, 2, 3, 3, 4, 5, 5})));
}

TEST(GlobalAveragePooling, PaddingAndOtherRowsHaveNoEffect) {
  const LayerPtr layer = make("GlobalAveragePooling1D", {});
  for (int seed = 0; seed < 100; ++seed) {
    Rng rng(static_cast<std::uint64_t>(seed));
    SCOPED_TRACE(rng.trace());
    const int time = rng.integer(1, 9);
    const int more = rng.integer(1, 5);
    const int width = rng.integer(1, 20);
    const std::vector<std::uint8_t> keep = random_keep(rng, 2, time);
    const Tensor x = random_floats(rng, {2, time, width});
    const Tensor expected = (*layer)(masked(x, keep));
    for (int row = 0; row < 2; ++row) {
      Tensor longer = Tensor::full(DType::kFloat32, {1, time + more, width}, kNan);
      const auto from = x.data<float>().subspan(static_cast<std::size_t>(row * time * width),
                                                static_cast<std::size_t>(time * width));
      std::ranges::copy(from, longer.mutable_data<float>().begin());
      std::vector<std::uint8_t> kept(keep.begin() + row * time, keep.begin() + (row + 1) * time);
      kept.resize(static_cast<std::size_t>(time + more), 0);
      const Tensor alone = (*layer)(masked(longer, kept));
      const auto part = expected.data<float>().subspan(static_cast<std::size_t>(row * width),
                                                       static_cast<std::size_t>(width));
      EXPECT_TRUE(same_bits(alone, Tensor::from<float>({1, width}, part)));
    }
  }
}

}  // namespace
}  // namespace maskflow
