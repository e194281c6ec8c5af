// SPDX-License-Identifier: MIT
// The threads that share the work of a region. Only the variant `threads` has helpers; elsewhere a
// region is a loop. docs/internals/threads.md describes the protocol.
#pragma once

#include <cstdint>

#include "base/function_ref.hpp"

namespace maskflow::kernels {

// Number of threads that may run parts of a region: the main one, which is member 0, and helpers.
[[nodiscard]] int team_size();

// Runs body(part, member) once for each part, in any order and on any member. Returns when all
// parts are finished. A body must not allocate, throw, call JavaScript or use static variables, and
// parts must not write what other parts use. A region inside a region is a loop of one member.
void parallel(int parts, FunctionRef<void(int part, int member)> body);

#if defined(MASKFLOW_THREADS)

// Allows `helpers` helpers. Each of them then calls team_member with its number, from 1 on. The
// main thread spins at the end of a region unless it may block.
void team_start(int helpers, bool may_block);

// Runs parts of regions until team_end.
void team_member(int member);

// Number of helpers that have called team_member and have not left it.
[[nodiscard]] int team_arrived();

// Makes all helpers return from team_member. Regions are loops from now on.
void team_end();

// Reports that a helper died. The main thread traps in this region or in the next one.
void team_fail();

#endif

}  // namespace maskflow::kernels
