// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/literal.hpp"
#include "measures/measure.hpp"

namespace maskflow {

[[nodiscard]] std::span<const Measure> all_losses();

// Formulas that losses and metrics share; infix.hpp has the grammar.
inline constexpr Literal kCosineSimilarity = "sum(normalize(y_true) * normalize(y_pred))";
// log(cosh(x)) = x + log(1 + e^(-2 x)) - log(2), where softplus does not overflow.
inline constexpr Literal kLogCosh =
    "error = y_pred - y_true;"
    "mean(error + softplus(-2 * error) - log(2))";

// The values that a formula computes for a batch.
struct Values {
  Tensor values;
  // 1 for values that count, 0 for those that the measure itself leaves out (ignore_class). An
  // empty handle means that all values count.
  Tensor kept;
};
[[nodiscard]] Values values_of(const Measure& measure, Batch prepared,
                               const OpAttributes& settings);

// Computes the loss of a batch: a scalar, or, with the reduction "none", a value for each sample or
// step. Masks and weights follow Keras. With "mean_over_kept", the loss is the sum over kept values
// divided by their number; masked values then have no effect, not even NaN.
[[nodiscard]] Tensor loss(const std::string& name, const Batch& batch, const Dict& settings,
                          const std::string& reduction);

}  // namespace maskflow
