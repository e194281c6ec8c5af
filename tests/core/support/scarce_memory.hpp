// SPDX-License-Identifier: MIT
// Simulates memory that runs out, by a limit or by a failing allocation.
#pragma once

#include <cstdint>

#include "base/memory.hpp"

namespace maskflow::test {

// Sets another memory limit during its lifetime.
class MaxBytes {
 public:
  explicit MaxBytes(std::uint64_t bytes) { set_memory_limit(bytes); }
  ~MaxBytes() { set_memory_limit(kUsualMaxBytes); }
  MaxBytes(const MaxBytes&) = delete;
  MaxBytes& operator=(const MaxBytes&) = delete;
};

// During its lifetime, operator new fails after `allocations` successful calls: once, or in all
// later calls.
class FailingAllocation {
 public:
  enum class How : std::uint8_t { kOnce, kFromThenOn };
  explicit FailingAllocation(std::int64_t allocations, How how = How::kOnce);
  ~FailingAllocation();
  FailingAllocation(const FailingAllocation&) = delete;
  FailingAllocation& operator=(const FailingAllocation&) = delete;
  // Returns whether an allocation has failed.
  [[nodiscard]] static bool failed();
};

}  // namespace maskflow::test
