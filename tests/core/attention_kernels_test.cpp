// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/attention.hpp"
#include "support/random.hpp"

namespace maskflow {
namespace {

using kernels::Rows;
using Floats = std::vector<float>;

constexpr std::size_t kSizes[] = {1, 2, 3, 4, 5, 8, 9, 17};

Floats random_vector(test::Rng& rng, std::size_t n) {
  Floats x(n);
  for (float& v : x) v = rng.real(2);
  return x;
}

template <class F>
void for_all_sizes(F&& f) {
  for (const std::size_t width : kSizes) {
    for (const std::size_t queries : {1UL, 3UL, 6UL}) {
      for (const std::size_t keys : kSizes) {
        SCOPED_TRACE(testing::Message() << queries << " queries, " << keys << " keys of " << width);
        f(queries, keys, width);
      }
    }
  }
}

TEST(AttentionScores, EqualTheDoubleLoop) {
  test::Rng rng(1);
  for_all_sizes([&](std::size_t queries, std::size_t keys, std::size_t width) {
    const Floats q = random_vector(rng, queries * 2 * width);
    const Floats k = random_vector(rng, keys * width);
    const Floats w = random_vector(rng, width);
    std::vector<std::int32_t> backwards;
    for (std::size_t j = keys; j-- > 0;) backwards.push_back(static_cast<std::int32_t>(j));
    for (const kernels::Score& score :
         {kernels::Score{.factor = 0.7F},
          kernels::Score{.additive = true, .factor = -1.5F, .inner = 0.6F},
          kernels::Score{.additive = true, .weights = w.data()}}) {
      Floats got(queries * keys, NAN);
      kernels::AttentionRoom room;
      kernels::attention_scores({q.data(), 2 * width}, queries, {k.data(), width, backwards.data()},
                                keys, width, score, room, got.data());
      for (std::size_t at = 0; at < got.size(); ++at) {
        const float* a = q.data() + at / keys * 2 * width;
        const float* b = k.data() + (keys - 1 - at % keys) * width;
        double sum = 0;
        for (std::size_t d = 0; d < width; ++d) {
          const double weight = score.weights == nullptr ? 1 : w[d];
          sum += score.additive ? weight * std::tanh(double{score.inner} * (double{a[d]} + b[d]))
                                : double{a[d]} * b[d];
        }
        EXPECT_NEAR(got[at], score.factor * sum, 1e-5 * (1 + std::fabs(sum))) << at;
      }
    }
  });
}

TEST(AttentionMask, AddsOrClears) {
  const std::vector<std::uint8_t> allowed{1, 0, 1, 0, 0};
  Floats x{1, 2, 3, NAN, 5};
  kernels::mask_scores(x.data(), allowed.data(), 5, -10, false);
  EXPECT_EQ(x[1], -8);
  EXPECT_TRUE(std::isnan(x[3]));
  kernels::mask_scores(x.data(), allowed.data(), 5, 0, true);
  EXPECT_EQ(x, (Floats{1, 0, 3, 0, 0}));
}

TEST(AttentionMean, EqualsTheDoubleLoop) {
  test::Rng rng(2);
  for_all_sizes([&](std::size_t queries, std::size_t keys, std::size_t width) {
    const Floats weights = random_vector(rng, queries * keys);
    const Floats v = random_vector(rng, keys * (width + 3));
    Floats got(queries * width, NAN);
    kernels::AttentionRoom room;
    kernels::attend(weights.data(), queries, {v.data(), width + 3}, keys, width, room, got.data());
    for (std::size_t at = 0; at < got.size(); ++at) {
      double sum = 0;
      for (std::size_t j = 0; j < keys; ++j) {
        sum += double{weights[at / width * keys + j]} * v[j * (width + 3) + at % width];
      }
      EXPECT_NEAR(got[at], sum, 1e-5 * (1 + std::fabs(sum))) << at;
    }
  });
}

TEST(AttentionOfOneQuery, EqualsThatOfSeveral) {
  test::Rng rng(5);
  kernels::AttentionRoom room;
  for (const std::size_t width : {1UL, 3UL, 4UL, 7UL, 8UL, 12UL, 31UL, 32UL, 40UL, 67UL}) {
    for (const std::size_t keys : kSizes) {
      const Floats q = random_vector(rng, width);
      const Floats k = random_vector(rng, keys * 2 * width);
      const Floats w = random_vector(rng, std::max(width, keys));
      for (const kernels::Score& score :
           {kernels::Score{.factor = 0.7F},
            kernels::Score{.additive = true, .inner = 0.6F, .weights = w.data()}}) {
        Floats one(keys, NAN);
        Floats several(keys, NAN);
        kernels::score_keys(q.data(), {k.data(), 2 * width}, keys, width, score, one.data());
        kernels::attention_scores({q.data(), width}, 1, {k.data(), 2 * width}, keys, width, score,
                                  room, several.data());
        for (std::size_t j = 0; j < keys; ++j) EXPECT_NEAR(one[j], several[j], 2e-5) << width;
      }
      Floats one(width, NAN);
      Floats several(width, NAN);
      kernels::weigh_rows(w.data(), {k.data(), 2 * width}, keys, width, one.data());
      kernels::attend(w.data(), 1, {k.data(), 2 * width}, keys, width, room, several.data());
      for (std::size_t d = 0; d < width; ++d) EXPECT_NEAR(one[d], several[d], 2e-5) << width;
    }
  }
}

}  // namespace
}  // namespace maskflow
