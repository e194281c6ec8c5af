// SPDX-License-Identifier: MIT
// Checks the accuracy that kernels/math.hpp documents, over dense sweeps of all magnitudes, and the
// results for special values.
#include "kernels/math.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace maskflow {
namespace {

using kernels::Vec;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kDenormal = std::numeric_limits<float>::denorm_min();
// Step between the bit patterns of tested floats: a prime, so that all low bits occur.
constexpr std::uint32_t kStride = 997;

using Function = Vec (*)(const Vec&);

std::vector<float> applied(Function f, const std::vector<float>& x) {
  std::vector<float> y(x.size());
  kernels::map(x.data(), y.data(), x.size(), f);
  return y;
}

float applied(Function f, float x) { return applied(f, std::vector<float>{x}).front(); }

// Returns floats of magnitude `from` to `limit`, with evenly spaced bit patterns and the sign of
// `limit`.
std::vector<float> sweep(float from, float limit) {
  std::vector<float> result;
  const bool negative = limit < 0;
  const auto last = std::bit_cast<std::uint32_t>(std::fabs(limit));
  for (auto bits = std::bit_cast<std::uint32_t>(std::fabs(from)); bits <= last; bits += kStride) {
    const auto x = std::bit_cast<float>(bits);
    result.push_back(negative ? -x : x);
  }
  result.push_back(limit);
  return result;
}

// Returns the error of `got` in units in the last place of the float nearest to `exact`.
double ulps(float got, double exact) {
  const auto nearest = static_cast<float>(std::fabs(exact));
  const double unit =
      static_cast<double>(std::nextafter(nearest, kInfinity)) - static_cast<double>(nearest);
  return std::fabs(static_cast<double>(got) - exact) / unit;
}

void expect_error(Function f, double (*exact)(double), const std::vector<float>& x, double limit) {
  const std::vector<float> y = applied(f, x);
  double worst = 0;
  float where = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double error = ulps(y[i], exact(static_cast<double>(x[i])));
    if (error > worst || std::isnan(error)) {
      worst = error;
      where = x[i];
      if (std::isnan(error)) break;
    }
  }
  EXPECT_LE(worst, limit) << "at " << where << " among " << x.size() << " values";
  EXPECT_GT(x.size(), 1000U);
}

double exact_exp(double x) { return std::exp(x); }
double exact_tanh(double x) { return std::tanh(x); }
double exact_sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

TEST(Math, ExpHasTheDocumentedAccuracy) {
  expect_error(kernels::exp, exact_exp, sweep(0, 88.3F), 1.49);
  expect_error(kernels::exp, exact_exp, sweep(0, -87.3F), 1.49);
}

TEST(Math, Expm1BelowHasTheDocumentedAccuracy) {
  const float min = std::numeric_limits<float>::min();
  const float max = std::numeric_limits<float>::max();
  expect_error(kernels::expm1_below, std::expm1, sweep(min, -max), 1.9);
}

TEST(Math, Expm1BelowOfSpecialValues) {
  EXPECT_EQ(applied(kernels::expm1_below, -kInfinity), -1.0F);
  EXPECT_EQ(applied(kernels::expm1_below, 0.0F), 0.0F);
  EXPECT_EQ(applied(kernels::expm1_below, -0.0F), 0.0F);
  EXPECT_EQ(applied(kernels::expm1_below, -kDenormal), -kDenormal);
}

TEST(Math, TanhHasTheDocumentedAccuracy) {
  // Starts at the smallest normal number: below it, a unit in the last place has another size.
  const float min = std::numeric_limits<float>::min();
  const float max = std::numeric_limits<float>::max();
  expect_error(kernels::tanh, exact_tanh, sweep(min, max), 1.28);
  expect_error(kernels::tanh, exact_tanh, sweep(min, -max), 1.28);
}

TEST(Math, GateTanhHasTheDocumentedAccuracy) {
  const float min = std::numeric_limits<float>::min();
  const float max = std::numeric_limits<float>::max();
  expect_error(kernels::gate_tanh, exact_tanh, sweep(min, max), 3.1);
  expect_error(kernels::gate_tanh, exact_tanh, sweep(min, -max), 3.1);
}

TEST(Math, SigmoidHasTheDocumentedAccuracy) {
  expect_error(kernels::sigmoid, exact_sigmoid, sweep(0, 1000), 2.5);
  expect_error(kernels::sigmoid, exact_sigmoid, sweep(0, -87), 2.5);
}

TEST(Math, ExpOfSpecialValues) {
  EXPECT_TRUE(std::isnan(applied(kernels::exp, kNan)));
  EXPECT_EQ(applied(kernels::exp, kInfinity), kInfinity);
  EXPECT_EQ(applied(kernels::exp, -kInfinity), 0.0F);
  for (const float zero : {0.0F, -0.0F, kDenormal, -kDenormal}) {
    EXPECT_EQ(applied(kernels::exp, zero), 1.0F);
  }
  // For speed, results near the largest float become infinity, and those near the smallest, 0.
  EXPECT_EQ(applied(kernels::exp, 88.38F), kInfinity);
  EXPECT_EQ(applied(kernels::exp, -88.5F), 0.0F);
  for (const float large : {88.73F, 100.0F, 1e10F, std::numeric_limits<float>::max()}) {
    EXPECT_EQ(applied(kernels::exp, large), kInfinity) << large;
    EXPECT_EQ(applied(kernels::exp, -large), 0.0F) << -large;
  }
}

TEST(Math, TanhOfSpecialValues) {
  for (const Function tanh : {Function(kernels::tanh), Function(kernels::gate_tanh)}) {
    EXPECT_TRUE(std::isnan(applied(tanh, kNan)));
    for (const float large : {20.0F, 1e10F, std::numeric_limits<float>::max(), kInfinity}) {
      EXPECT_EQ(applied(tanh, large), 1.0F) << large;
      EXPECT_EQ(applied(tanh, -large), -1.0F) << -large;
    }
    EXPECT_EQ(applied(tanh, 0.0F), 0.0F);
    for (const float tiny : {kDenormal, 1e-40F, 1e-30F}) {
      EXPECT_EQ(applied(tanh, tiny), tiny);
      EXPECT_EQ(applied(tanh, -tiny), -tiny);
    }
  }
}

TEST(Math, SigmoidOfSpecialValues) {
  EXPECT_TRUE(std::isnan(applied(kernels::sigmoid, kNan)));
  EXPECT_EQ(applied(kernels::sigmoid, kInfinity), 1.0F);
  EXPECT_EQ(applied(kernels::sigmoid, -kInfinity), 0.0F);
  EXPECT_EQ(applied(kernels::sigmoid, 0.0F), 0.5F);
  EXPECT_EQ(applied(kernels::sigmoid, kDenormal), 0.5F);
  EXPECT_EQ(applied(kernels::sigmoid, 100.0F), 1.0F);
  EXPECT_EQ(applied(kernels::sigmoid, -88.39F), 0.0F);
  EXPECT_EQ(applied(kernels::sigmoid, -100.0F), 0.0F);
}

// Whole vectors and the tail of a row share one implementation. So the result for a value has the
// same bits at every position, whatever its neighbours are, NaN included.
TEST(Math, BitsDoNotDependOnPositionOrNeighbours) {
  for (const Function f : {Function(kernels::exp), Function(kernels::tanh),
                           Function(kernels::gate_tanh), Function(kernels::sigmoid)}) {
    for (const float x : {-90.0F, -3.3F, -0.2F, 1e-3F, 0.7F, 5.5F, 87.0F}) {
      const float alone = applied(f, x);
      for (const float other : {0.0F, 1e20F, -1e20F, kNan, kInfinity}) {
        for (std::size_t n = 1; n <= 2 * kernels::kLanes + 1; ++n) {
          for (std::size_t at = 0; at < n; ++at) {
            std::vector<float> row(n, other);
            row[at] = x;
            EXPECT_EQ(applied(f, row)[at], alone) << x << " at " << at << " of " << n;
          }
        }
      }
    }
  }
}

TEST(Simd, PartialLoadsAndStoresStayWithinTheirCount) {
  for (std::size_t n = 0; n < kernels::kLanes; ++n) {
    // The vectors have exactly n elements, so the sanitizer finds reads and writes beyond them.
    const std::vector<float> from(n, 2.0F);
    std::vector<float> to(n, 0.0F);
    const Vec v = kernels::load_partial(from.data(), n, 9.0F);
    kernels::store_partial(v, to.data(), n);
    EXPECT_EQ(to, from);
    EXPECT_EQ(xsimd::reduce_add(v),
              2.0F * static_cast<float>(n) + 9.0F * static_cast<float>(kernels::kLanes - n));
  }
}

}  // namespace
}  // namespace maskflow
