// SPDX-License-Identifier: MIT
// The area under a curve over all thresholds, as Keras draws it.
#include <algorithm>
#include <cmath>

#include "measures/decisions.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

enum class Curve : std::uint8_t { kRoc, kPrecisionRecall, kPrecisionRecallGain };
enum class Heights : std::uint8_t { kMean, kLower, kHigher };

struct Drawing {
  Thresholds thresholds;
  Curve curve;
  Heights heights;
  bool each_label;
  std::vector<double> label_weights;  // empty: all count alike
};

std::vector<double> numbers_of(const OpAttributes& settings, Name name) {
  std::vector<double> numbers;
  const Value given = settings.get(name);
  if (given.is_null()) return numbers;
  for (const Value& number : given.as_list(name)) numbers.push_back(number.as_number(name));
  return numbers;
}

Thresholds thresholds_of(const OpAttributes& settings) {
  if (settings.is_null("thresholds")) return even_thresholds(settings, 2, true);
  Thresholds thresholds{{0}, false, true};
  for (const double at : numbers_of(settings, "thresholds")) {
    thresholds.at.push_back(static_cast<float>(at));
  }
  std::ranges::sort(thresholds.at.begin() + 1, thresholds.at.end());
  thresholds.at.push_back(1);
  thresholds.even = evenly_spread(thresholds.at);
  thresholds.at.front() = -1e-7F;
  thresholds.at.back() = 1 + 1e-7F;
  return thresholds;
}

// Each setting is looked at, so that what cannot be is said when a metric is made.
Drawing drawing_of(const OpAttributes& settings) {
  Drawing drawing{thresholds_of(settings),
                  static_cast<Curve>(choice(settings, "curve", "ROC roc PR pr PRGAIN prgain") / 2),
                  static_cast<Heights>(choice(settings, "summation_method",
                                              "interpolation Interpolation minoring Minoring "
                                              "majoring Majoring") /
                                       2),
                  settings.flag("multi_label"), numbers_of(settings, "label_weights")};
  if (!drawing.each_label && !settings.is_null("num_labels") &&
      settings.integer("num_labels") != 0) {
    value_error("num_labels is given but multi_label is false; leave it out");
  }
  return drawing;
}

struct Point {
  double x;
  double y;
};

Point point_of(Curve curve, const Decisions& d) {
  const double recall = ratio(d.found, d.found + d.missed);
  if (curve == Curve::kRoc) return {ratio(d.wrong, d.wrong + d.left), recall};
  if (curve == Curve::kPrecisionRecall) return {recall, ratio(d.found, d.found + d.wrong)};
  // Flach & Kull (2015). Where nothing is found Keras takes no recall and full precision.
  if (d.found == 0) return {0, 1};
  const double odds = ratio(d.found + d.missed, d.wrong + d.left);
  return {std::max(1 - odds * d.missed / d.found, 0.0), 1 - odds * d.wrong / d.found};
}

// Davis & Goadrich (2006): between two thresholds counts are interpolated, precision follows.
double interpolated(const Decisions& low, const Decisions& high) {
  const double more = low.found - high.found;
  const double all_low = low.found + low.wrong;
  const double all_high = high.found + high.wrong;
  const double slope = ratio(more, std::max(all_low - all_high, 0.0));
  const double start = high.found - slope * all_high;
  const double growth = all_low > 0 && all_high > 0 ? std::log(all_low / all_high) : 0;
  return ratio(slope * (more + start * growth), std::max(high.found + high.missed, 0.0));
}

double area_under(const Drawing& drawing, const std::vector<Decisions>& decisions) {
  double area = 0;
  for (std::size_t i = 0; i + 1 < decisions.size(); ++i) {
    if (drawing.curve == Curve::kPrecisionRecall && drawing.heights == Heights::kMean) {
      area += interpolated(decisions[i], decisions[i + 1]);
      continue;
    }
    const Point low = point_of(drawing.curve, decisions[i]);
    const Point high = point_of(drawing.curve, decisions[i + 1]);
    const double height = drawing.heights == Heights::kMean    ? (low.y + high.y) / 2
                          : drawing.heights == Heights::kLower ? std::min(low.y, high.y)
                                                               : std::max(low.y, high.y);
    area += (low.x - high.x) * height;
  }
  return area;
}

void add_area(const Measure&, const OpAttributes& settings, const Batch& batch, Sums& sums) {
  const Drawing drawing = drawing_of(settings);
  const Shape& shape = batch.y_pred.shape();
  const auto width = shape.rank() == 0 ? 1 : static_cast<std::size_t>(shape.back());
  const std::size_t labels = drawing.each_label && !sums.empty()
                                 ? sums.size() / sums_per_label(drawing.thresholds)
                                 : width;
  const std::size_t weights = drawing.label_weights.size();
  if (drawing.each_label &&
      (shape.rank() != 2 || width != labels ||
       (!settings.is_null("num_labels") && settings.integer("num_labels") != 0 &&
        settings.integer("num_labels") != static_cast<Dim>(width)))) {
    shape_error("with multi_label predictions are [batch, labels], the same labels each time, but ",
                "they have shape ", shape);
  }
  const Shape fitted = prepared(batch).y_pred.shape();
  const Dim own = fitted.rank() < 2 ? 0 : fitted.back();
  if (weights != 0 && static_cast<Dim>(weights) != own &&
      (weights != 1 || own == 0 || drawing.each_label)) {
    value_error("label_weights has ", weights, " numbers but predictions have shape ", shape,
                "; give one for each label, the last axis");
  }
  Batch scores = batch;
  if (settings.flag("from_logits")) scores.y_pred = ops::sigmoid(batch.y_pred);
  // Of a curve for each label the areas are weighted, of one curve the predictions.
  count_decisions(drawing.thresholds, settings, scores, sums, drawing.each_label,
                  drawing.each_label ? std::span<const double>() : drawing.label_weights);
}

Value mean_area(const Measure&, const OpAttributes& settings, const Sums& sums) {
  const Drawing drawing = drawing_of(settings);
  const std::size_t size = sums_per_label(drawing.thresholds);
  double total = 0;
  double whole = 0;
  for (std::size_t label = 0; (label + 1) * size <= sums.size(); ++label) {
    const double weight = drawing.each_label && !drawing.label_weights.empty()
                              ? drawing.label_weights[label % drawing.label_weights.size()]
                              : 1;
    const auto own = std::span(sums).subspan(label * size, size);
    total += weight * area_under(drawing, decisions_of(drawing.thresholds, own));
    whole += weight;
  }
  return ratio(total, whole);
}

}  // namespace

constinit const Tallying kAreaTally{add_area, mean_area};

}  // namespace maskflow
