// SPDX-License-Identifier: MIT
// The area under a curve over all thresholds, by Keras's rules.
#include <algorithm>
#include <cmath>

#include "measures/decisions.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

enum class Curve : std::uint8_t { kRoc, kPrecisionRecall, kPrecisionRecallGain };
// Height of the curve between two thresholds.
enum class Height : std::uint8_t { kMean, kLower, kHigher };

struct AreaSettings {
  Thresholds thresholds;
  Curve curve;
  Height height;
  bool multi_label;                   // Whether there is one curve for each label.
  std::vector<double> label_weights;  // Weights of the labels; empty if all have the same weight.
};

std::vector<double> numbers_of(const OpAttributes& settings, Name name) {
  std::vector<double> numbers;
  const Value list = settings.get(name);
  if (list.is_null()) return numbers;
  for (const Value& number : list.as_list(name)) numbers.push_back(number.as_number(name));
  return numbers;
}

Thresholds thresholds_of(const OpAttributes& settings) {
  if (settings.is_null("thresholds")) return even_thresholds(settings, 2, true);
  Thresholds thresholds{{0}, false, true};
  std::vector<float>& values = thresholds.values;
  for (const double number : numbers_of(settings, "thresholds")) {
    const auto threshold = static_cast<float>(number);
    values.insert(std::upper_bound(values.begin() + 1, values.end(), threshold), threshold);
  }
  values.push_back(1);
  thresholds.is_even = evenly_spread(values);
  values.front() = -1e-7F;
  values.back() = 1 + 1e-7F;
  return thresholds;
}

// Reads every setting, so that an invalid one throws when the metric is created.
AreaSettings read(const OpAttributes& settings) {
  AreaSettings area{
      thresholds_of(settings),
      static_cast<Curve>(choice(settings, "curve", "ROC roc PR pr PRGAIN prgain") / 2),
      static_cast<Height>(
          choice(settings, "summation_method",
                 "interpolation Interpolation minoring Minoring majoring Majoring") /
          2),
      settings.flag("multi_label"), numbers_of(settings, "label_weights")};
  if (!area.multi_label && !settings.is_null("num_labels") && settings.integer("num_labels") != 0) {
    value_error("num_labels is ", settings.integer("num_labels"),
                " but multi_label is false; leave num_labels out");
  }
  return area;
}

struct Point {
  double x;
  double y;
};

Point point_of(Curve curve, const Decisions& d) {
  const double recall = ratio(d.true_positives, d.true_positives + d.false_negatives);
  if (curve == Curve::kRoc) {
    return {ratio(d.false_positives, d.false_positives + d.true_negatives), recall};
  }
  if (curve == Curve::kPrecisionRecall) {
    return {recall, ratio(d.true_positives, d.true_positives + d.false_positives)};
  }
  // Flach & Kull 2015. Without true positives Keras sets recall to 0 and precision to 1.
  if (d.true_positives == 0) return {0, 1};
  const double odds =
      ratio(d.true_positives + d.false_negatives, d.false_positives + d.true_negatives);
  return {std::max(1 - odds * d.false_negatives / d.true_positives, 0.0),
          1 - odds * d.false_positives / d.true_positives};
}

// Area of precision over recall between two thresholds: counts are interpolated linearly, and
// precision is computed from them (Davis & Goadrich 2006).
double interpolated_area(const Decisions& low, const Decisions& high) {
  const double gained = low.true_positives - high.true_positives;
  const double positives_low = low.true_positives + low.false_positives;
  const double positives_high = high.true_positives + high.false_positives;
  const double slope = ratio(gained, std::max(positives_low - positives_high, 0.0));
  const double start = high.true_positives - slope * positives_high;
  const double growth =
      positives_low > 0 && positives_high > 0 ? std::log(positives_low / positives_high) : 0;
  return ratio(slope * (gained + start * growth),
               std::max(high.true_positives + high.false_negatives, 0.0));
}

double area_under(const AreaSettings& settings, const std::vector<Decisions>& decisions) {
  double area = 0;
  for (std::size_t i = 0; i + 1 < decisions.size(); ++i) {
    if (settings.curve == Curve::kPrecisionRecall && settings.height == Height::kMean) {
      area += interpolated_area(decisions[i], decisions[i + 1]);
      continue;
    }
    const Point low = point_of(settings.curve, decisions[i]);
    const Point high = point_of(settings.curve, decisions[i + 1]);
    const double height = settings.height == Height::kMean    ? (low.y + high.y) / 2
                          : settings.height == Height::kLower ? std::min(low.y, high.y)
                                                              : std::max(low.y, high.y);
    area += (low.x - high.x) * height;
  }
  return area;
}

void add_area(const Measure&, const OpAttributes& settings, const Batch& batch, Sums& sums) {
  const AreaSettings area = read(settings);
  const Shape& shape = batch.y_pred.shape();
  const auto width = shape.rank() == 0 ? 1 : static_cast<std::size_t>(shape.back());
  const std::size_t labels =
      area.multi_label && !sums.empty() ? sums.size() / sums_per_label(area.thresholds) : width;
  const std::size_t weights = area.label_weights.size();
  if (area.multi_label &&
      (shape.rank() != 2 || width != labels ||
       (!settings.is_null("num_labels") && settings.integer("num_labels") != 0 &&
        settings.integer("num_labels") != static_cast<Dim>(width)))) {
    shape_error(
        "with multi_label, y_pred must be [batch, labels] with the same labels each time, "
        "but has shape ",
        shape);
  }
  const Shape fitted = prepared(batch).y_pred.shape();
  const Dim last_axis = fitted.rank() < 2 ? 0 : fitted.back();
  if (weights != 0 && static_cast<Dim>(weights) != last_axis &&
      (weights != 1 || last_axis == 0 || area.multi_label)) {
    value_error("label_weights has ", weights, " numbers but y_pred has shape ", shape,
                "; give one number for each label, the last axis");
  }
  Batch scores = batch;
  if (settings.flag("from_logits")) scores.y_pred = ops::sigmoid(batch.y_pred);
  // label_weights are weights of the areas with multi_label, otherwise of the predictions.
  count_decisions(area.thresholds, settings, scores, sums, area.multi_label,
                  area.multi_label ? std::span<const double>() : area.label_weights);
}

Value mean_area(const Measure&, const OpAttributes& settings, const Sums& sums) {
  const AreaSettings area = read(settings);
  const std::size_t size = sums_per_label(area.thresholds);
  double total = 0;
  double total_weight = 0;
  for (std::size_t label = 0; (label + 1) * size <= sums.size(); ++label) {
    const double weight = area.multi_label && !area.label_weights.empty()
                              ? area.label_weights[label % area.label_weights.size()]
                              : 1;
    const auto label_sums = std::span(sums).subspan(label * size, size);
    total += weight * area_under(area, decisions_of(area.thresholds, label_sums));
    total_weight += weight;
  }
  return ratio(total, total_weight);
}

}  // namespace

constinit const Tallying kAreaTally{add_area, mean_area};

}  // namespace maskflow
