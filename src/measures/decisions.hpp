// SPDX-License-Identifier: MIT
// Counts of right and wrong decisions for one or many thresholds.
#pragma once

#include "measures/metrics.hpp"

namespace maskflow {

// What a prediction must exceed to be a yes.
struct Thresholds {
  std::vector<float> at;
  // Evenly spread from 0 to 1, where Keras computes the place of a prediction and does not compare.
  bool even = false;
  // The first and last lie just outside 0 and 1: every prediction exceeds the first.
  bool beyond = false;
};
// num_thresholds of them from 0 to 1; a ValueError when they are fewer than `least`, or too many.
[[nodiscard]] Thresholds even_thresholds(const OpAttributes& settings, int least, bool beyond);
[[nodiscard]] bool evenly_spread(std::span<const float> thresholds);

// How many (by their weights) of one threshold.
struct Decisions {
  double found;   // true, and said to be
  double wrong;   // said to be true, but not
  double missed;  // true, but not said to be
  double left;    // neither
};

// Adds a batch; `labels`: for each label, the last axis, by itself? `label_weights`: one for each
// label, or none.
void count_decisions(const Thresholds& thresholds, const OpAttributes& settings, const Batch& batch,
                     Sums& sums, bool labels = false, std::span<const double> label_weights = {});
// Of each threshold, for the sums of one label.
[[nodiscard]] std::vector<Decisions> decisions_of(const Thresholds& thresholds,
                                                  std::span<const double> sums);
// How many sums a label has.
[[nodiscard]] inline std::size_t sums_per_label(const Thresholds& thresholds) {
  return 2 * (thresholds.at.size() + 1);
}

}  // namespace maskflow
