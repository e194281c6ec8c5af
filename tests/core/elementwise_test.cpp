// SPDX-License-Identifier: MIT
// Elementwise kernels that compute several elements at a time.
#include "kernels/elementwise.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/random.hpp"

namespace maskflow {
namespace {

using test::Rng;

TEST(Elementwise, AndOfBytesIsThatOfEachByte) {
  Rng rng(31);
  const auto byte = [&] {
    return static_cast<std::uint8_t>(rng.chance(0.4) ? 0 : rng.integer(1, 255));
  };
  for (std::size_t n = 0; n < 40; ++n) {
    // Starts at any address.
    std::vector<std::uint8_t> a(n + 3), b(n + 1), out(n + 2, 7);
    for (std::uint8_t& x : a) x = byte();
    for (std::uint8_t& x : b) x = byte();
    const void* const in[] = {a.data() + 3, b.data() + 1};
    kernels::kLogicalAnd.bools(in, out.data() + 1, n);
    EXPECT_EQ(out.front(), 7);
    EXPECT_EQ(out.back(), 7);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_EQ(out[i + 1], a[i + 3] != 0 && b[i + 1] != 0 ? 1 : 0) << i << " of " << n;
    }
  }
}

}  // namespace
}  // namespace maskflow
