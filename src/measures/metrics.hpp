// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "measures/measure.hpp"

namespace maskflow {

// Those that are no losses; a loss is a metric too, the weighted mean of its values.
[[nodiscard]] std::span<const Measure> all_metrics();

// A metric between batches is a list of sums, empty at the start.
using Sums = std::vector<double>;

// The sums with one more batch in them.
[[nodiscard]] Sums metric_update(const std::string& name, const Batch& batch, const Dict& settings,
                                 Sums sums);
// A number; a list of them where the settings ask for several.
[[nodiscard]] Value metric_result(const std::string& name, const Dict& settings, const Sums& sums);

// How one kind of metrics gets its sums and makes a result of them; of no sums, having looked at
// the settings, what is said of nothing.
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
