// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "base/random.hpp"

namespace maskflow::bench {

// Returns numbers from -1 to 1, which are equal in every run.
inline std::vector<float> numbers(std::size_t n) {
  Random random(42);
  std::vector<float> result(n);
  for (float& x : result) x = static_cast<float>(2 * random.uniform() - 1);
  return result;
}

}  // namespace maskflow::bench
