// SPDX-License-Identifier: MIT
#include "kernels/copy.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace maskflow {
namespace {

// Sizes around every vector width, and around the size from which the C library copies.
std::vector<std::size_t> sizes() {
  std::vector<std::size_t> result(40);
  std::iota(result.begin(), result.end(), std::size_t{0});
  result.insert(result.end(), {2047, 2048, 2049});
  return result;
}

template <class T>
class Copy : public testing::Test {};
using Types = testing::Types<float, std::int32_t>;
TYPED_TEST_SUITE(Copy, Types);

// The vectors have exactly n elements, so that the sanitizer reports accesses beyond them.
TYPED_TEST(Copy, CopiesJustSoMany) {
  for (const std::size_t n : sizes()) {
    std::vector<TypeParam> from(n);
    std::iota(from.begin(), from.end(), TypeParam{1});
    std::vector<TypeParam> to(n, TypeParam{-1});
    kernels::copy(from.data(), to.data(), n);
    EXPECT_EQ(to, from) << n;
  }
}

TYPED_TEST(Copy, ClearsJustSoMany) {
  for (const std::size_t n : sizes()) {
    std::vector<TypeParam> to(n, TypeParam{7});
    kernels::clear(to.data(), n);
    EXPECT_EQ(to, std::vector<TypeParam>(n, TypeParam{0})) << n;
  }
}

TEST(CopyAdd, AddsExactlyTheRequestedCount) {
  for (const std::size_t n : sizes()) {
    std::vector<float> from(n);
    std::iota(from.begin(), from.end(), 1.0F);
    std::vector<float> to(n, 0.5F);
    kernels::add(from.data(), to.data(), n);
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(to[i], from[i] + 0.5F) << n;
  }
}

TYPED_TEST(Copy, RowsNeedNoAlignmentAndLeaveTheirNeighboursAlone) {
  for (std::size_t offset = 0; offset < 5; ++offset) {
    std::vector<TypeParam> from(20);
    std::iota(from.begin(), from.end(), TypeParam{1});
    std::vector<TypeParam> to(20, TypeParam{-1});
    kernels::copy(from.data() + offset, to.data() + 3, 11);
    for (std::size_t i = 0; i < to.size(); ++i) {
      const bool inside = i >= 3 && i < 14;
      EXPECT_EQ(to[i], inside ? from[i - 3 + offset] : TypeParam{-1}) << i;
    }
  }
}

}  // namespace
}  // namespace maskflow
