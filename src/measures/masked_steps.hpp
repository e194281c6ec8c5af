// SPDX-License-Identifier: MIT
// Masked steps of losses and metrics: they are selected out. To multiply them by 0 would keep NaN.
#pragma once

#include "measures/measure.hpp"

namespace maskflow {

// Adds axes of size 1 to a mask, up to a rank.
[[nodiscard]] Tensor broadcast_mask(const Tensor& mask, int rank);
// Returns whether a value of the measure depends on several steps.
[[nodiscard]] bool mixes_steps(const Measure& measure);
// Replaces targets and predictions of masked steps, if these have numbers without a loss, such as
// NaN. Their gradient would also be NaN, which no factor 0 removes. `batch` is a prepared one.
[[nodiscard]] Batch without_masked_values(const Measure& measure, Batch batch);
// Returns whether the measure is CTC with a mask of steps, which then counts kept steps alone.
// Other masks weigh its values, as in Keras.
[[nodiscard]] bool counts_kept_steps(const Measure& measure, const Batch& batch);
// Returns the CTC loss of the kept steps of each sample, [batch].
[[nodiscard]] Tensor ctc_of_kept_steps(const Batch& batch);

}  // namespace maskflow
