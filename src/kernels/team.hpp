// SPDX-License-Identifier: MIT
// The threads that share the work of a region. Only the variant `threads` has helpers; elsewhere a
// region is a loop. docs/internals/threads.md describes the protocol.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/function_ref.hpp"

namespace maskflow::kernels {

// A number of multiply-adds. It has 64 bits because a product of 4096 by 512 by 2048 needs 2^32.
using Work = std::uint64_t;

// Least work that pays for a region, and for each helper that is woken for it.
inline constexpr Work kLeastWork = 400'000;

// Numbers, or rows, from `begin` to before `end`.
struct Interval {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// An axis that is divided into parts of whole grains; the last grain may be smaller.
struct Grains {
  std::size_t count = 0;
  std::size_t size = 1;

  [[nodiscard]] std::size_t number() const { return (count + size - 1) / size; }
  // Returns part `index` of `parts` parts.
  [[nodiscard]] Interval part(std::size_t index, std::size_t parts) const {
    return {number() * index / parts * size,
            std::min(number() * (index + 1) / parts * size, count)};
  }
};

// Pays for all helpers.
inline constexpr Work kMuchWork = ~Work{0};

// Number of threads that may run parts of a region: the main one, which is member 0, and helpers.
[[nodiscard]] int team_size();

// Number of the calling thread among them.
[[nodiscard]] int team_self();

// Runs body(part, member) once for each part, in any order and on any member. Returns when all
// parts are finished. A body must not allocate, throw, call JavaScript or use static variables, and
// parts must not write what other parts use. A region inside a region is a loop of one member.
// Helpers that sleep are woken if the work of all parts pays for them.
void parallel(int parts, FunctionRef<void(int part, int member)> body, Work work = kMuchWork);

// Whether a region with this work pays. Inside a region, none does.
[[nodiscard]] bool is_region(Work work);

// Runs body for ranges of whole grains that contain all numbers.
void parallel_ranges(Grains grains, Work work,
                     FunctionRef<void(std::size_t begin, std::size_t end)> body);

// Runs body for blocks of a matrix. The second axis is divided, too, if the first one has too few
// grains for the threads.
void parallel_blocks(Grains first, Grains second, Work work,
                     FunctionRef<void(Interval first, Interval second)> body);

// Runs body for ranges of `count` rows, each of which takes the time of `work`.
void parallel_rows(std::size_t count, Work work,
                   FunctionRef<void(std::size_t begin, std::size_t end)> body);

// Like parallel_rows, for numbers: ranges begin at multiples of a vector's size.
void parallel_elements(std::size_t count, Work work,
                       FunctionRef<void(std::size_t begin, std::size_t end)> body);

#if defined(MASKFLOW_THREADS)

// Allows `helpers` helpers. Each of them then calls team_member with its number, from 1 on. The
// main thread spins at the end of a region unless it may block.
void team_start(int helpers, bool may_block);

// For tests and comparisons in one program: from now on, only the first `helpers` helpers run
// parts, and regions with less than `least_work` multiply-adds are loops.
void team_use(int helpers, Work least_work = kLeastWork);

// Runs parts of regions until team_end.
void team_member(int member);

// Number of helpers that have called team_member and have not left it.
[[nodiscard]] int team_arrived();

// For tests: the regions that helpers could enter until now.
struct TeamCounts {
  std::uint32_t regions = 0;
  std::uint32_t wakes = 0;  // helpers that the main thread woke; each of them may wake others
  Work work = 0;            // multiply-adds of the regions that flops() counts
};
[[nodiscard]] TeamCounts team_counts();

// Makes all helpers return from team_member. Regions are loops from now on.
void team_end();

// Reports that a helper died. The main thread traps in this region or in the next one.
void team_fail();

#endif

}  // namespace maskflow::kernels
