// SPDX-License-Identifier: MIT
// Memory that runs out: a limit, or an allocation that fails.
#pragma once

#include <cstdint>

#include "base/memory.hpp"

namespace maskflow::test {

// Another limit while it lives.
class MostBytes {
 public:
  explicit MostBytes(std::uint64_t bytes) { set_memory_limit(bytes); }
  ~MostBytes() { set_memory_limit(kUsualMostBytes); }
  MostBytes(const MostBytes&) = delete;
  MostBytes& operator=(const MostBytes&) = delete;
};

// While it lives, operator new fails once, after `allocations` that succeed; or from then on.
class FailingAllocation {
 public:
  enum class How : std::uint8_t { kOnce, kFromThenOn };
  explicit FailingAllocation(std::int64_t allocations, How how = How::kOnce);
  ~FailingAllocation();
  FailingAllocation(const FailingAllocation&) = delete;
  FailingAllocation& operator=(const FailingAllocation&) = delete;
  // Has it come to that?
  [[nodiscard]] static bool failed();
};

}  // namespace maskflow::test
