// SPDX-License-Identifier: MIT
// Hints for loops that the compiler would repeat in several forms. Bytes of a page cost more than
// these forms gain.
#pragma once

#if defined(__clang__)
// Before a loop: not unrolled.
#define MASKFLOW_KEEP_ROLLED _Pragma("clang loop unroll(disable)")
// Before a loop over few items: neither unrolled nor turned into vectors.
#define MASKFLOW_KEEP_SCALAR _Pragma("clang loop vectorize(disable) unroll(disable)")
#else
#define MASKFLOW_KEEP_ROLLED
#define MASKFLOW_KEEP_SCALAR
#endif
