// SPDX-License-Identifier: MIT
// The matrix product against a double loop in double, over sizes around every edge of the tiles.
#include "kernels/gemm.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "support/random.hpp"

namespace maskflow {
namespace {

using kernels::PackedMatrix;
using kernels::Rows;
using kernels::Start;

using Floats = std::vector<float>;

Floats random_vector(test::Rng& rng, std::size_t size) {
  Floats result(size);
  for (float& x : result) x = rng.real();
  return result;
}

struct Size {
  std::size_t m, n, k;
};

struct Problem {
  Size size;
  Floats a, b, bias, before;
  std::size_t stride;  // Distance between the rows of A; larger than k, to test strides.
  std::vector<std::int32_t> index;  // Order of the rows; some of them occur twice.

  explicit Problem(const Size& s) : size(s), stride(s.k + 3) {
    test::Rng rng(s.m * 10000 + s.n * 100 + s.k);
    a = random_vector(rng, (s.m + 2) * stride);
    b = random_vector(rng, s.k * s.n);
    bias = random_vector(rng, s.n);
    before = random_vector(rng, s.m * s.n);
    for (std::size_t i = 0; i < s.m; ++i) {
      index.push_back(rng.integer(0, static_cast<int>(s.m) + 1));
    }
  }

  [[nodiscard]] Rows rows(bool gathered) const {
    return {a.data(), stride, gathered ? index.data() : nullptr};
  }
};

// Compares with products and sums in double; the tolerance covers k float roundings of terms up to
// 1.
void expect_product(const Problem& p, const Rows& rows, Start start, const float* got) {
  const double tolerance = static_cast<double>(p.size.k + 2) * 0x1p-24 * 2;
  for (std::size_t i = 0; i < p.size.m; ++i) {
    for (std::size_t j = 0; j < p.size.n; ++j) {
      double sum = 0;
      if (start == Start::kBias) sum = static_cast<double>(p.bias[j]);
      if (start == Start::kAccumulate) sum = static_cast<double>(p.before[i * p.size.n + j]);
      for (std::size_t k = 0; k < p.size.k; ++k) {
        sum += static_cast<double>(rows[i][k]) * static_cast<double>(p.b[k * p.size.n + j]);
      }
      ASSERT_NEAR(static_cast<double>(got[i * p.size.n + j]), sum, tolerance)
          << "row " << i << ", column " << j;
    }
  }
}

template <class F>
void for_all_sizes(F&& f) {
  for (std::size_t m = 1; m <= 9; ++m) {
    for (const std::size_t n : {1UL, 3UL, 7UL, 8UL, 9UL, 15UL, 16UL, 17UL, 33UL}) {
      for (const std::size_t k : {0UL, 1UL, 5UL, 16UL, 67UL}) {
        SCOPED_TRACE(testing::Message() << "m " << m << ", n " << n << ", k " << k);
        f(Size{m, n, k});
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

class Gemm : public testing::TestWithParam<std::tuple<Start, bool>> {};

TEST_P(Gemm, EqualsTheDoubleLoop) {
  // clang 14 cannot capture names of a structured binding.
  const Start start = std::get<0>(GetParam());
  const bool gathered = std::get<1>(GetParam());
  for_all_sizes([&](const Size& size) {
    const Problem p(size);
    // The guard after C reveals a store that is too wide, even without the sanitizer.
    Floats c = p.before;
    c.push_back(12345.0F);
    const PackedMatrix packed(p.b.data(), size.k, size.n, size.n);
    const Rows rows = p.rows(gathered);
    kernels::gemm(rows, size.m, packed, start, start == Start::kBias ? p.bias.data() : nullptr,
                  c.data());
    EXPECT_EQ(c.back(), 12345.0F);
    expect_product(p, rows, start, c.data());
  });
}

std::string name_of(const testing::TestParamInfo<std::tuple<Start, bool>>& test) {
  const auto [start, gathered] = test.param;
  const char* const name = start == Start::kZero   ? "Zero"
                           : start == Start::kBias ? "Bias"
                                                   : "Accumulate";
  return name + std::string(gathered ? "Gathered" : "InOrder");
}

INSTANTIATE_TEST_SUITE_P(Starts, Gemm,
                         testing::Combine(testing::Values(Start::kZero, Start::kBias,
                                                          Start::kAccumulate),
                                          testing::Bool()),
                         name_of);

TEST(GemmRows, ManyRowsCrossTheBlocks) {
  for (const std::size_t m : {63UL, 64UL, 65UL, 67UL, 128UL, 131UL}) {
    SCOPED_TRACE(m);
    const Problem p({m, 33, 5});
    Floats c = p.before;
    kernels::gemm(p.rows(true), m, PackedMatrix(p.b.data(), 5, 33, 33), Start::kAccumulate, nullptr,
                  c.data());
    expect_product(p, p.rows(true), Start::kAccumulate, c.data());
  }
}

// The result of a row must not depend on how many rows are computed with it.
TEST(GemmRows, BitsOfARowDoNotDependOnTheOthers) {
  for (const std::size_t n : {1UL, 7UL, 16UL, 33UL}) {
    const Problem p({9, n, 67});
    const PackedMatrix packed(p.b.data(), 67, n, n);
    Floats all(9 * n);
    kernels::gemm(p.rows(false), 9, packed, Start::kBias, p.bias.data(), all.data());
    for (std::size_t row = 0; row < 9; ++row) {
      for (std::size_t count = 1; row + count <= 9; ++count) {
        Floats some(count * n);
        kernels::gemm({p.a.data() + row * p.stride, p.stride}, count, packed, Start::kBias,
                      p.bias.data(), some.data());
        for (std::size_t i = 0; i < some.size(); ++i) {
          ASSERT_EQ(some[i], all[row * n + i]) << "rows " << row << " + " << count << ", n " << n;
        }
      }
    }
  }
}

TEST(GemmRows, NoRowsAndNoColumnsTouchNothing) {
  const Problem p({4, 8, 5});
  Floats c(4, 7.0F);
  kernels::gemm(p.rows(false), 0, PackedMatrix(p.b.data(), 5, 8, 8), Start::kZero, nullptr,
                c.data());
  kernels::gemm(p.rows(false), 4, PackedMatrix(p.b.data(), 5, 0, 8), Start::kZero, nullptr,
                c.data());
  EXPECT_EQ(c, Floats(4, 7.0F));
}

TEST(GemmRows, NanOfOneRowStaysInItsRow) {
  Problem p({5, 9, 16});
  p.a[2 * p.stride + 3] = std::nanf("");
  Floats c(5 * 9);
  kernels::gemm(p.rows(false), 5, PackedMatrix(p.b.data(), 16, 9, 9), Start::kZero, nullptr,
                c.data());
  for (std::size_t i = 0; i < c.size(); ++i) EXPECT_EQ(std::isnan(c[i]), i / 9 == 2) << i;
}

TEST(GemmRows, ProductOfZerosEqualsThatOfGemm) {
  const Problem p({3, 9, 5});
  const Floats zeros(3 * 5);
  const PackedMatrix b(p.b.data(), 5, 9, 9);
  for (const Start start : {Start::kZero, Start::kBias, Start::kAccumulate}) {
    Floats computed = p.before;
    Floats left = p.before;
    kernels::gemm({zeros.data(), 5}, 3, b, start, p.bias.data(), computed.data());
    kernels::gemm_of_zeros(3, 9, start, p.bias.data(), left.data());
    EXPECT_EQ(left, computed);
  }
}

TEST(PackedMatrixTest, KnowsWhetherItIsFinite) {
  Problem p({1, 9, 5});
  EXPECT_TRUE(PackedMatrix(p.b.data(), 5, 9, 9).finite());
  for (const std::size_t at : {std::size_t{0}, std::size_t{20}, std::size_t{44}}) {
    Floats b = p.b;
    b[at] = std::nanf("");
    EXPECT_FALSE(PackedMatrix(b.data(), 5, 9, 9).finite()) << at;
  }
}

TEST(PackedMatrixTest, ReadsAColumnRangeOfAWiderMatrix) {
  // Packs columns 2 to 4 of a 3 x 6 matrix: a kernel stores several gates side by side.
  Floats wide(18);
  std::iota(wide.begin(), wide.end(), 0.0F);
  const PackedMatrix packed(wide.data() + 2, 3, 3, 6);
  EXPECT_EQ(packed.k(), 3U);
  EXPECT_EQ(packed.n(), 3U);
  const Floats identity{1, 0, 0, 0, 1, 0, 0, 0, 1};
  Floats c(9);
  kernels::gemm({identity.data(), 3}, 3, packed, Start::kZero, nullptr, c.data());
  EXPECT_EQ(c, (Floats{2, 3, 4, 8, 9, 10, 14, 15, 16}));
}

TEST(Matmul, EqualsTheDoubleLoop) {
  for_all_sizes([](const Size& size) {
    Problem p(size);
    test::Rng rng(1);
    p.stride = size.k;
    p.a = random_vector(rng, size.m * size.k);
    Floats c(size.m * size.n, -1.0F);
    kernels::matmul(p.a.data(), p.b.data(), c.data(), size.m, size.k, size.n);
    expect_product(p, p.rows(false), Start::kZero, c.data());
  });
}

}  // namespace
}  // namespace maskflow
