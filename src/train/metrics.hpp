// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "train/measure.hpp"

namespace maskflow {

// Those that are no losses; a loss is a metric too, the weighted mean of its values.
[[nodiscard]] std::span<const Measure> all_metrics();

// A metric between batches is a list of sums, empty at the start.
using Sums = std::vector<double>;

// The sums with one more batch in them.
[[nodiscard]] Sums metric_update(const std::string& name, const Batch& batch, const Dict& settings,
                                 Sums sums);
// One number; one per threshold when several are given.
[[nodiscard]] std::vector<double> metric_result(const std::string& name, const Dict& settings,
                                                const Sums& sums);

// The counts of decisions behind precision, recall and curves; see confusion.cpp.
void count_decisions(const Measure& measure, const Batch& batch, const OpAttributes& settings,
                     Sums& sums);
[[nodiscard]] std::vector<double> ratios(const Measure& measure, const Sums& sums);

}  // namespace maskflow
