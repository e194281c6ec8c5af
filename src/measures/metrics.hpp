// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "measures/measure.hpp"

namespace maskflow {

// Metrics that are not losses. A loss is a metric, too: the weighted mean of its values.
[[nodiscard]] std::span<const Measure> all_metrics();

// The state of a metric between batches; empty before the first batch.
using Sums = std::vector<double>;

// Adds a batch to the sums.
[[nodiscard]] Sums metric_update(const std::string& name, const Batch& batch, const Dict& settings,
                                 Sums sums);
// The result for the sums: a number, or a list of numbers if the settings require several.
[[nodiscard]] Value metric_result(const std::string& name, const Dict& settings, const Sums& sums);

// The functions of one Tally. `result` of empty sums checks the settings and returns the metric of
// no data.
struct Tallying {
  void (*add)(const Measure& measure, const OpAttributes& settings, const Batch& batch, Sums& sums);
  Value (*result)(const Measure& measure, const OpAttributes& settings, const Sums& sums);
};
extern const Tallying kDecisionTally;  // decisions.cpp
extern const Tallying kBestTally;
extern const Tallying kAreaTally;     // area.cpp
extern const Tallying kFScoreTally;   // f_score.cpp
extern const Tallying kOverlapTally;  // overlap.cpp
extern const Tallying kR2Tally;       // r2_score.cpp

}  // namespace maskflow
