// SPDX-License-Identifier: MIT
// The area under a curve over all thresholds, as Keras draws it.
#pragma once

#include "train/measure.hpp"
#include "train/metrics.hpp"

namespace maskflow {

// Counts a batch; `weight` has a number for each prediction.
void count_by_bucket(const OpAttributes& settings, const Batch& batch, const Tensor& weight,
                     Sums& sums);
// Under the curve of all labels, or the mean over the labels.
[[nodiscard]] double area(const OpAttributes& settings, const Sums& sums);
// 0 when there is nothing.
[[nodiscard]] inline double ratio(double part, double whole) {
  return whole == 0 ? 0 : part / whole;
}

}  // namespace maskflow
