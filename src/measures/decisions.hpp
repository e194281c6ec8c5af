// SPDX-License-Identifier: MIT
// Counts of positives and negatives, true and false, for one or many thresholds.
#pragma once

#include "measures/metrics.hpp"

namespace maskflow {

// Thresholds of predictions: a prediction above a threshold counts as positive.
struct Thresholds {
  std::vector<float> values;
  // The thresholds are evenly spread from 0 to 1. Keras then computes how many of them a prediction
  // exceeds, instead of comparing, which rounds differently.
  bool is_even = false;
  // The first and the last threshold are just outside 0 and 1: every prediction exceeds the first.
  bool is_extended = false;
};
// Returns thresholds from 0 to 1, as many as the setting num_thresholds says. Throws ValueError if
// that number is below `least` or too large.
[[nodiscard]] Thresholds even_thresholds(const OpAttributes& settings, int least, bool is_extended);
[[nodiscard]] bool evenly_spread(std::span<const float> thresholds);

// Sums of weights at one threshold.
struct Decisions {
  double true_positives;
  double false_positives;
  double false_negatives;
  double true_negatives;
};

// Adds a batch to the sums. With `per_label`, each label (an index of the last axis) has its own
// sums. `label_weights` has a weight for each label, or is empty.
void count_decisions(const Thresholds& thresholds, const OpAttributes& settings, const Batch& batch,
                     Sums& sums, bool per_label = false,
                     std::span<const double> label_weights = {});
// Returns the decisions at each threshold, from the sums of one label.
[[nodiscard]] std::vector<Decisions> decisions_of(const Thresholds& thresholds,
                                                  std::span<const double> sums);
// Returns the number of sums of a label.
[[nodiscard]] inline std::size_t sums_per_label(const Thresholds& thresholds) {
  return 2 * (thresholds.values.size() + 1);
}

}  // namespace maskflow
