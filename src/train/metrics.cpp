// SPDX-License-Identifier: MIT
#include "train/metrics.hpp"

#include <cmath>

#include "ops/ops.hpp"
#include "train/area.hpp"
#include "train/losses.hpp"

namespace maskflow {
namespace {

constexpr OpAttribute kThreshold[] = {
    {"threshold", "number", "Above it a prediction is a yes.", false, 0.5},
};
constexpr OpAttribute kTopK[] = {
    {"k", "number", "Among how many of the highest the class must be.", false, 5},
};
constexpr OpAttribute kAxis[] = {
    {"axis", "number", "The axis of the vectors.", false, -1},
};
constexpr OpAttribute kDecisions[] = {
    {"thresholds", "number | number[] | null", "Above them a prediction is a yes; null: 0.5.",
     false, Default{}},
    {"top_k", "number | null", "Only so many of the highest of each row can be a yes.", false,
     Default{}},
    {"class_id", "number | null", "Only this class counts.", false, Default{}},
};
constexpr OpAttribute kThresholds[] = {
    {"thresholds", "number | number[] | null", "Above them a prediction is a yes; null: 0.5.",
     false, Default{}},
};
constexpr OpAttribute kArea[] = {
    {"num_thresholds", "number", "In how many steps the curve is drawn; at least 2.", false, 200},
    {"curve", "string", "'ROC' or 'PR' (precision over recall).", false, "ROC"},
    {"summation_method", "string", "'interpolation', 'minoring' or 'majoring'.", false,
     "interpolation"},
    {"from_logits", "boolean", "Are the predictions logits, not probabilities?", false, false},
    {"multi_label", "boolean", "A curve for each label, the last axis, and the mean of the areas?",
     false, false},
    {"num_labels", "number | null", "How many labels there are; null: as many as come.", false,
     Default{}},
    {"label_weights", "number[] | null", "How much each label counts; null: all alike.", false,
     Default{}},
};

// Of counts: the first over the sum of all that are named.
constexpr Measure kMetrics[] = {
    {{"Accuracy", "", {}, "How often y_pred equals y_true."}, "", "t p Equal Mean."},
    {{"BinaryAccuracy", "", kThreshold, "How often a yes or no is right."},
     "",
     "p $threshold Greater t Equal Mean."},
    {{"CategoricalAccuracy", "", {}, "How often the highest is that of the target."},
     "",
     "t Argmax. p Argmax. Equal"},
    {{"SparseCategoricalAccuracy", "", {}, "How often the highest is the class that is given."},
     "",
     "t p Argmax. Equal",
     Tally::kMean,
     true},
    {{"TopKCategoricalAccuracy", "", kTopK, "How often the target is among the k highest."},
     "",
     "p t Argmax. OneHot# p * Sum_ Greater Sum. $k Less"},
    {{"SparseTopKCategoricalAccuracy", "", kTopK, "How often the class is among the k highest."},
     "",
     "p t OneHot# p * Sum_ Greater Sum. $k Less",
     Tally::kMean,
     true},
    {{"CosineSimilarity", "", kAxis, "1 (same direction) to -1 (opposite)."},
     "",
     "t Normalize. p Normalize. * Sum."},
    {{"RootMeanSquaredError", "", {}, "Root of the mean of (y_true - y_pred)^2. Ignores masks."},
     "rmse",
     "p t - Square",
     Tally::kRoot},
    {{"Precision", "", kDecisions, "How many of the yes are right. Ignores masks."},
     "",
     "tf",
     Tally::kConfusion},
    {{"Recall", "", kDecisions, "How many of the true are found. Ignores masks."},
     "",
     "tm",
     Tally::kConfusion},
    {{"TruePositives", "", kThresholds, "True and found. Ignores masks."},
     "",
     "t",
     Tally::kConfusion},
    {{"FalsePositives", "", kThresholds, "Found but not true. Ignores masks."},
     "",
     "f",
     Tally::kConfusion},
    {{"FalseNegatives", "", kThresholds, "True but missed. Ignores masks."},
     "",
     "m",
     Tally::kConfusion},
    {{"TrueNegatives", "", kThresholds, "Neither true nor found. Ignores masks."},
     "",
     "n",
     Tally::kConfusion},
    {{"AUC", "", kArea, "Area under a curve over all thresholds. Ignores masks."},
     "",
     "",
     Tally::kArea},
};

const Measure& find_metric(const std::string& name, const Dict& settings) {
  const Measure* metric = find_measure(kMetrics, name);
  if (metric == nullptr) metric = find_measure(all_losses(), name);
  if (metric == nullptr) no_such_measure("metric", name, {kMetrics, all_losses()});
  check_settings(metric->op, settings);
  return *metric;
}

double total(const Tensor& x) {
  double sum = 0;
  for (const float value : x.data<float>()) sum += static_cast<double>(value);
  return sum;
}

// Keras averages over everything but the first axis of values and weights before it sums, so a
// batch counts by its samples, however long they are.
void add_mean(Values batch, Tensor weight, Sums& sums) {
  Tensor values = ops::cast(batch.values, DType::kFloat32);
  if (sums.empty()) sums.assign(2, 0);
  if (!weight.empty_handle()) {
    // As in Keras, a class to be ignored leaves the count only where there are weights or masks.
    weight = masked_weight(weight, batch.kept);
    fit_ranks(values, weight);
    std::vector<Dim> axes;
    for (Dim axis = weight.rank(); axis < values.rank(); ++axis) axes.push_back(axis);
    if (!axes.empty()) values = ops::mean(values, axes, false);
    check_fits(weight, "sample weight or mask", values.shape());
    weight = ops::multiply(weight, apply_op1("OnesLike", {&values, 1}));
    values = ops::multiply(values, weight);
  }
  const double rows = values.rank() == 0 ? 1 : static_cast<double>(values.shape()[0]);
  const double entries = static_cast<double>(values.size()) / rows;
  if (values.size() == 0) return;
  sums[0] += total(values) / entries;
  sums[1] += weight.empty_handle() ? rows : total(weight) / entries;
}

}  // namespace

std::span<const Measure> all_metrics() { return kMetrics; }

Sums metric_update(const std::string& name, const Batch& batch, const Dict& settings, Sums sums) {
  const Measure& metric = find_metric(name, settings);
  const OpAttributes attributes(metric.op, settings);
  try {
    if (metric.tally == Tally::kConfusion || metric.tally == Tally::kArea) {
      count_decisions(metric, prepared(batch), attributes, sums);
      return sums;
    }
    Tensor weight = prepared(batch).weight;
    const MaskPtr& mask = batch.y_pred.mask();
    if (mask && metric.tally == Tally::kMean) {
      weight = masked_weight(weight, ops::cast(mask->values(), DType::kFloat32));
    }
    add_mean(values_of(metric, batch, attributes), weight, sums);
    return sums;
  } catch (Error& error) {
    error.add_layer(text("metrics.", metric.op.name));
    throw;
  }
}

std::vector<double> metric_result(const std::string& name, const Dict& settings, const Sums& sums) {
  const Measure& metric = find_metric(name, settings);
  if (sums.empty()) return {0};
  if (metric.tally == Tally::kConfusion) return ratios(metric, sums);
  if (metric.tally == Tally::kArea) return {area(OpAttributes(metric.op, settings), sums)};
  const double mean = sums[1] == 0 ? 0 : sums[0] / sums[1];
  return {metric.tally == Tally::kRoot ? std::sqrt(mean) : mean};
}

}  // namespace maskflow
