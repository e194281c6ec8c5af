// SPDX-License-Identifier: MIT
// F-scores: between precision and recall. Sums are, for each class, how many (by their weights) are
// found, wrong, missed and true.
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
  double threshold;  // NaN: the highest of a row
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

void add(const Measure&, const OpAttributes& settings, const Batch& batch, Sums& sums) {
  const FScore score = read(settings);
  const auto [y_true, y_pred, weight, mask] = prepared(batch, false);
  const Shape& shape = y_pred.shape();
  if (shape.rank() != 2 || y_true.rank() != 2) {
    shape_error("y_true and y_pred must be [batch, classes] but have shapes ", y_true.shape(),
                " and ", shape);
  }
  check_fits(y_true, "target", shape);
  const auto classes = static_cast<std::size_t>(shape.back());
  if (!weight.empty_handle() &&
      (weight.rank() != 1 || !broadcasts_to(weight.shape(), shape.first(1)))) {
    shape_error("the sample weight has shape ", weight.shape(), " but y_pred has ", shape,
                "; give one number for each row");
  }
  if (!sums.empty() && sums.size() != 4 * classes) {
    shape_error("there are ", classes, " classes but there were ", sums.size() / 4,
                "; reset the metric first");
  }
  sums.resize(4 * classes);
  const Tensor truths = ops::multiply(y_true, ops::ones_like(y_pred));
  const std::span<const float> scores = y_pred.data<float>();
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const std::size_t row = i / classes;
    const auto highest = std::ranges::max(scores.subspan(row * classes, classes));
    const bool yes = std::isnan(score.threshold)
                         ? scores[i] >= highest && std::abs(scores[i]) > 1e-9F
                         : scores[i] > static_cast<float>(score.threshold);
    const double truth = truths.data<float>()[i];
    const double counts =
        weight.empty_handle() ? 1 : weight.data<float>()[weight.size() == 1 ? 0 : row];
    const double parts[] = {yes ? truth : 0, yes ? 1 - truth : 0, yes ? 0 : truth, truth};
    for (std::size_t k = 0; k < 4; ++k) sums[4 * (i % classes) + k] += counts * parts[k];
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
  const FScore score = read(settings);
  List scores;
  double all[4] = {};
  double mean = 0;
  double weighted = 0;
  for (std::size_t at = 0; at < sums.size(); at += 4) {
    const auto own = std::span(sums).subspan(at, 4);
    const double value = score_of(own, score.beta);
    for (std::size_t k = 0; k < 4; ++k) all[k] += own[k];
    scores.emplace_back(value);
    mean += value;
    weighted += value * own[3];
  }
  switch (score.average) {
    case Average::kNone:
      return scores;
    case Average::kMicro:
      return score_of(all, score.beta);
    case Average::kMacro:
      return ratio(mean, static_cast<double>(scores.size()));
    case Average::kWeighted:
      break;
  }
  return weighted / (all[3] + 1e-7);
}

}  // namespace

constinit const Tallying kFScoreTally{add, result};

}  // namespace maskflow
