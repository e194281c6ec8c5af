// SPDX-License-Identifier: MIT
#include "train/area.hpp"

#include <algorithm>
#include <cmath>

#include "ops/ops.hpp"

namespace maskflow {
namespace {

struct Curve {
  bool roc;  // else precision over recall
  bool interpolates;
  bool minoring;
};

Curve curve_of(const OpAttributes& settings) {
  const Value curve = settings.get("curve");
  const Value method = settings.get("summation_method");
  const std::string& name = curve.as_string("curve");
  const std::string& rule = method.as_string("summation_method");
  if (name != "ROC" && name != "PR") {
    config_error("curve is '", name, "' but must be 'ROC' or 'PR'");
  }
  if (rule != "interpolation" && rule != "minoring" && rule != "majoring") {
    config_error("summation_method is '", rule,
                 "' but must be 'interpolation', 'minoring' or 'majoring'");
  }
  return {name == "ROC", rule == "interpolation", rule == "minoring"};
}

std::size_t steps_of(const OpAttributes& settings) {
  const auto count = settings.integer("num_thresholds");
  if (count < 2) value_error("num_thresholds is ", count, " but must be at least 2");
  return static_cast<std::size_t>(count);
}

// One for each label; empty when they count alike. `labels`: how many there are.
std::vector<double> weights_of(const OpAttributes& settings, std::size_t labels) {
  std::vector<double> weights;
  const Value given = settings.get("label_weights");
  if (given.is_null()) return weights;
  for (const Value& weight : given.as_list("label_weights")) {
    weights.push_back(weight.as_number("label_weights"));
  }
  if (weights.size() != labels) {
    value_error("label_weights has ", weights.size(), " numbers but there are ", labels,
                " labels; give one for each");
  }
  return weights;
}

double area_of(const Curve& curve, std::span<const double> sums) {
  const std::size_t count = sums.size() / 2;
  double all_true = 0;
  double all_false = 0;
  for (std::size_t i = 0; i < count; ++i) {
    all_true += sums[i];
    all_false += sums[count + i];
  }
  // From the highest threshold, above which there is nothing, to the lowest.
  double area = 0;
  double found = 0;
  double wrong = 0;
  for (std::size_t i = count - 1; i-- > 0;) {
    const double t = found + sums[i];
    const double f = wrong + sums[count + i];
    if (!curve.roc && curve.interpolates) {
      // Davis & Goadrich (2006): counts are interpolated, precision follows from them.
      const double slope = ratio(sums[i], sums[i] + sums[count + i]);
      const double start = found - slope * (found + wrong);
      const double growth = found + wrong > 0 ? (t + f) / (found + wrong) : 1;
      area += ratio(slope * (sums[i] + start * std::log(growth)), all_true);
    } else {
      const double width = curve.roc ? ratio(f - wrong, all_false) : ratio(t - found, all_true);
      const double here = curve.roc ? ratio(t, all_true) : ratio(t, t + f);
      const double before = curve.roc ? ratio(found, all_true) : ratio(found, found + wrong);
      area += width * (curve.interpolates ? (here + before) / 2
                       : curve.minoring   ? std::min(here, before)
                                          : std::max(here, before));
    }
    found = t;
    wrong = f;
  }
  return area;
}

}  // namespace

// Thresholds are evenly spread, the first and last just outside 0 and 1: a prediction belongs to
// the last one below it. True and false ones are counted per threshold, and per label if each has a
// curve of its own.
void count_by_bucket(const OpAttributes& settings, const Batch& batch, const Tensor& weight,
                     Sums& sums) {
  const std::size_t count = steps_of(settings);
  const Shape& shape = batch.y_pred.shape();
  const bool each = settings.flag("multi_label");
  if (each && shape.rank() != 2) {
    shape_error("with multi_label predictions are [batch, labels], but they have shape ", shape);
  }
  const std::size_t width = shape.rank() == 0 ? 1 : static_cast<std::size_t>(shape.back());
  // Of a curve for each label the areas are weighted, of one curve the predictions.
  const std::vector<double> weights = weights_of(settings, width);
  const std::size_t size = (each ? width : 1) * 2 * count;
  if (!sums.empty() && sums.size() != size) {
    shape_error("a batch has ", width, " labels but the ones before had ",
                sums.size() / (2 * count), "; reset the metric first");
  }
  sums.resize(size);
  const Tensor scores =
      settings.flag("from_logits") ? apply_op1("Sigmoid", {&batch.y_pred, 1}) : batch.y_pred;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const float score = std::clamp(scores.data<float>()[i], 0.0F, 1.0F);
    const float bucket = std::max(std::ceil(score * static_cast<float>(count - 1)) - 1, 0.0F);
    const std::size_t label = i % width;
    const std::size_t curve = each ? label : 0;
    const std::size_t side = 2 * curve + (batch.y_true.data<float>()[i] != 0 ? 0 : 1);
    const double own = each || weights.empty() ? 1 : weights[label];
    sums[side * count + static_cast<std::size_t>(bucket)] +=
        own * static_cast<double>(weight.data<float>()[i]);
  }
}

double area(const OpAttributes& settings, const Sums& sums) {
  const Curve curve = curve_of(settings);
  const std::size_t size = 2 * steps_of(settings);
  if (!settings.flag("multi_label")) return area_of(curve, sums);
  const std::size_t labels = sums.size() / size;
  std::vector<double> weights = weights_of(settings, labels);
  weights.resize(labels, 1);
  double total = 0;
  double whole = 0;
  for (std::size_t label = 0; label < labels; ++label) {
    total += weights[label] * area_of(curve, std::span(sums).subspan(label * size, size));
    whole += weights[label];
  }
  return ratio(total, whole);
}

}  // namespace maskflow
