// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>

namespace maskflow {

// Converts a dimension or an index that is not negative, for arrays and addresses.
[[nodiscard]] constexpr std::size_t at(std::signed_integral auto n) {
  return static_cast<std::size_t>(n);
}

}  // namespace maskflow
