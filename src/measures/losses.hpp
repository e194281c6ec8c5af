// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/literal.hpp"
#include "measures/measure.hpp"

namespace maskflow {

[[nodiscard]] std::span<const Measure> all_losses();

// Formulas of metrics, too; see infix.hpp.
inline constexpr Literal kCosineSimilarity = "sum(normalize(y_true) * normalize(y_pred))";
// log(cosh(x)) = x + log(1 + e^(-2 x)) - log(2), in which no exponential overflows.
inline constexpr Literal kLogCosh =
    "error = y_pred - y_true;"
    "mean(error + softplus(-2 * error) - log(2))";

// What a formula says of a batch, entry by entry, and which entries it leaves out by itself
// (ignore_class; no handle: none).
struct Values {
  Tensor values;
  Tensor kept;
};
[[nodiscard]] Values values_of(const Measure& measure, Batch prepared,
                               const OpAttributes& settings);

// The loss of a batch: a number, or, with the reduction "none", one per step or sample. The mask on
// y_pred and the weights count as Keras has it; "mean_over_kept" is the sum divided by the number
// of kept entries, where what is masked cannot matter, not even as NaN.
[[nodiscard]] Tensor loss(const std::string& name, const Batch& batch, const Dict& settings,
                          const std::string& reduction);

}  // namespace maskflow
