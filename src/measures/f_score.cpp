// SPDX-License-Identifier: MIT
// F-scores, the weighted harmonic mean of precision and recall. The sums are, for each class, the
// weights of true positives, false positives, false negatives and positive targets.
#include <algorithm>
#include <cmath>

#include "measures/metrics.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

enum class Average : std::int8_t { kNone = -1, kMicro, kMacro, kWeighted };

struct FScore {
  Average average;
  double beta;
  // Threshold of positive predictions; NaN if only the highest score of a row is positive.
  double threshold;
};

FScore read(const OpAttributes& settings) {
  const Value beta = setting_if_any(settings, "beta");
  FScore score{static_cast<Average>(choice(settings, "average", "micro macro weighted")),
               beta.is_null() ? 1 : beta.as_number("beta"),
               settings.is_null("threshold") ? std::nan("") : share(settings, "threshold")};
  if (!(score.beta > 0) || score.threshold == 0) {
    value_error("beta is ", score.beta, " and threshold ", score.threshold,
                "; both must be greater than 0");
  }
  return score;
}

// Returns a weight for each value from weights of rows or, since Keras 3.16, of values; an empty
// handle without weights.
Tensor weights_of_values(const Tensor& weight, const Shape& shape) {
  if (weight.empty_handle()) return weight;
  const Tensor each = weight.rank() == 1 ? ops::expand_dims(weight, 1) : weight;
  const bool is_known = weight.rank() == 1 || (weight.rank() == 2 && follows_keras_316());
  if (!is_known || !broadcasts_to(each.shape(), shape)) {
    shape_error("the sample weight has shape ", weight.shape(), " but y_pred has ", shape,
                "; give one weight for each row");
  }
  return ops::broadcast_to(each, shape);
}

void add(const Measure&, const OpAttributes& settings, const Batch& batch, Sums& sums) {
  const FScore f_score = read(settings);
  const auto [y_true, y_pred, weight, mask] = prepared(batch, false);
  const Shape& shape = y_pred.shape();
  if (shape.rank() != 2 || y_true.rank() != 2) {
    shape_error("y_true and y_pred must be [batch, classes] but have shapes ", y_true.shape(),
                " and ", shape);
  }
  check_fits(y_true, "target", shape);
  const auto classes = static_cast<std::size_t>(shape.back());
  const Tensor weights = weights_of_values(weight, shape);
  if (!sums.empty() && sums.size() != 4 * classes) {
    shape_error("y_pred has ", classes, " classes but earlier batches had ", sums.size() / 4,
                "; reset the metric first");
  }
  sums.resize(4 * classes);
  const Tensor truths = ops::multiply(y_true, ops::ones_like(y_pred));
  const std::span<const float> scores = y_pred.data<float>();
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const std::size_t row = i / classes;
    const auto highest = std::ranges::max(scores.subspan(row * classes, classes));
    const bool is_positive = std::isnan(f_score.threshold)
                                 ? scores[i] >= highest && std::abs(scores[i]) > 1e-9F
                                 : scores[i] > static_cast<float>(f_score.threshold);
    const double truth = truths.data<float>()[i];
    const double own_weight = weights.empty_handle() ? 1 : weights.data<float>()[i];
    const double counts[] = {is_positive ? truth : 0, is_positive ? 1 - truth : 0,
                             is_positive ? 0 : truth, truth};
    for (std::size_t k = 0; k < 4; ++k) sums[4 * (i % classes) + k] += own_weight * counts[k];
  }
}

double score_of(std::span<const double> sums, double beta) {
  constexpr double kEpsilon = 1e-7;
  const double precision = sums[0] / (sums[0] + sums[1] + kEpsilon);
  const double recall = sums[0] / (sums[0] + sums[2] + kEpsilon);
  const double square = beta * beta;
  return (1 + square) * precision * recall / (square * precision + recall + kEpsilon);
}

Value result(const Measure&, const OpAttributes& settings, const Sums& sums) {
  const FScore f_score = read(settings);
  List scores;
  double totals[4] = {};
  double total = 0;
  double weighted = 0;
  for (std::size_t at = 0; at < sums.size(); at += 4) {
    const auto class_sums = std::span(sums).subspan(at, 4);
    const double score = score_of(class_sums, f_score.beta);
    for (std::size_t k = 0; k < 4; ++k) totals[k] += class_sums[k];
    scores.emplace_back(score);
    total += score;
    weighted += score * class_sums[3];
  }
  switch (f_score.average) {
    case Average::kNone:
      return scores;
    case Average::kMicro:
      return score_of(totals, f_score.beta);
    case Average::kMacro:
      return ratio(total, static_cast<double>(scores.size()));
    case Average::kWeighted:
      break;
  }
  return weighted / (totals[3] + 1e-7);
}

}  // namespace

constinit const Tallying kFScoreTally{add, result};

}  // namespace maskflow
