// SPDX-License-Identifier: MIT
// The fused state updates against their formulas in double.
#include "kernels/gates.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/random.hpp"

namespace maskflow {
namespace {

using Floats = std::vector<float>;

constexpr double kTolerance = 1e-6;
constexpr std::size_t kLanes = 3;

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

Floats random_vector(test::Rng& rng, std::size_t size, float scale) {
  Floats result(size);
  for (float& x : result) x = rng.real(scale);
  return result;
}

// Covers every width near a multiple of the vector width; buffers are exactly as large as needed.
template <class F>
void for_units(F&& f) {
  for (std::size_t units = 1; units <= 19; ++units) {
    test::Rng rng(units);
    SCOPED_TRACE(units);
    f(units, rng);
  }
}

TEST(Gates, LstmUpdate) {
  for_units([](std::size_t n, test::Rng& rng) {
    const Floats gates = random_vector(rng, kLanes * 4 * n, 6);
    const Floats before = random_vector(rng, kLanes * n, 2);
    Floats c = before;
    Floats h(kLanes * n, NAN);  // The kernel writes h without reading it.
    kernels::lstm_update(gates.data(), c.data(), h.data(), kLanes, n);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      for (std::size_t i = 0; i < n; ++i) {
        const auto gate = [&](std::size_t index) {
          return static_cast<double>(gates[(lane * 4 + index) * n + i]);
        };
        const std::size_t at = lane * n + i;
        const double cell = sigmoid(gate(1)) * static_cast<double>(before[at]) +
                            sigmoid(gate(0)) * std::tanh(gate(2));
        EXPECT_NEAR(static_cast<double>(c[at]), cell, kTolerance);
        EXPECT_NEAR(static_cast<double>(h[at]), sigmoid(gate(3)) * std::tanh(cell), kTolerance);
      }
    }
  });
}

TEST(Gates, GruUpdate) {
  for_units([](std::size_t n, test::Rng& rng) {
    const Floats x = random_vector(rng, kLanes * 3 * n, 4);
    const Floats inner = random_vector(rng, kLanes * 3 * n, 4);
    const Floats before = random_vector(rng, kLanes * n, 1);
    Floats h = before;
    Floats sums = x;
    kernels::gru_update(sums.data(), inner.data(), h.data(), kLanes, n);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      for (std::size_t i = 0; i < n; ++i) {
        const auto part = [&](const Floats& from, std::size_t index) {
          return static_cast<double>(from[(lane * 3 + index) * n + i]);
        };
        const double z = sigmoid(part(x, 0) + part(inner, 0));
        const double r = sigmoid(part(x, 1) + part(inner, 1));
        const double candidate = std::tanh(part(x, 2) + r * part(inner, 2));
        const std::size_t at = lane * n + i;
        const double wanted = z * static_cast<double>(before[at]) + (1 - z) * candidate;
        EXPECT_NEAR(static_cast<double>(h[at]), wanted, kTolerance);
      }
    }
  });
}

TEST(Gates, GruBlend) {
  for_units([](std::size_t n, test::Rng& rng) {
    const Floats z = random_vector(rng, n, 1);
    const Floats candidate = random_vector(rng, n, 1);
    const Floats before = random_vector(rng, n, 1);
    Floats h = before;
    kernels::gru_blend(z.data(), candidate.data(), h.data(), n);
    for (std::size_t i = 0; i < n; ++i) {
      const auto share = static_cast<double>(z[i]);
      const double wanted =
          share * static_cast<double>(before[i]) + (1 - share) * static_cast<double>(candidate[i]);
      EXPECT_NEAR(static_cast<double>(h[i]), wanted, kTolerance);
    }
  });
}

// Ended lanes come after the lanes that are alive and must keep their states.
TEST(Gates, EndedLanesAreNotTouched) {
  for_units([](std::size_t n, test::Rng& rng) {
    const Floats gates = random_vector(rng, kLanes * 4 * n, 6);
    const Floats before = random_vector(rng, kLanes * n, 1);
    Floats c = before;
    Floats h = before;
    kernels::lstm_update(gates.data(), c.data(), h.data(), 1, n);
    Floats g = before;
    Floats x = gates;
    kernels::gru_update(x.data(), gates.data(), g.data(), 1, n);
    for (std::size_t i = n; i < before.size(); ++i) {
      EXPECT_EQ(c[i], before[i]);
      EXPECT_EQ(h[i], before[i]);
      EXPECT_EQ(g[i], before[i]);
    }
  });
}

}  // namespace
}  // namespace maskflow
