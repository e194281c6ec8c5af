// SPDX-License-Identifier: MIT
// Helpers on threads of their own, for builds with MASKFLOW_THREADS. They run parts of every region
// in all tests of the program, however small the region is.
#pragma once

#include <functional>

#include "tensor/tensor.hpp"

namespace maskflow::test {

// Numbers of members that tests compare: fewer and more than cores, and one that is not a power of
// two. Regions are divided for all of them; of the last two, only the first six helpers exist.
inline constexpr int kMembers[] = {1, 2, 3, 4, 7, 16, 40};

// While it lives, regions have this many members, and the smallest work is a region.
class TeamOf {
 public:
  explicit TeamOf(int members);
  ~TeamOf();
  TeamOf(const TeamOf&) = delete;
  TeamOf& operator=(const TeamOf&) = delete;
};

// Compares the bits of the results for all numbers of members. Results may have empty handles.
void expect_same_for_all_teams(const std::function<Tensors()>& compute);

}  // namespace maskflow::test
