// SPDX-License-Identifier: MIT
// Sorts positions. It is one function for all callers, because each std::stable_sort would take 5
// kB of the wasm, and each std::sort 1.5.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/function_ref.hpp"

namespace maskflow {

using IsBefore = FunctionRef<bool(std::int32_t, std::int32_t)>;

// Sorts positions by merging runs of doubling length, so that equal elements keep their order.
void merge_sort(std::vector<std::int32_t>& order, IsBefore is_before);

// Returns the positions from 0 to count - 1 in order.
[[nodiscard]] std::vector<std::int32_t> sorted_positions(std::size_t count, IsBefore is_before);

}  // namespace maskflow
