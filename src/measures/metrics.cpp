// SPDX-License-Identifier: MIT
#include "measures/metrics.hpp"

#include <algorithm>
#include <cmath>

#include "measures/infix.hpp"
#include "measures/losses.hpp"
#include "measures/masked_steps.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

constexpr OpAttribute kThreshold[] = {
    {"threshold", "float", "Predictions above this number count as 1.", false, 0.5},
};
constexpr OpAttribute kTopK[] = {
    {"k", "number", "Number of highest predictions among which the class must be.", false, 5},
};
constexpr OpAttribute kSparseTopK[] = {
    kTopK[0],
    {"from_sorted_ids", "boolean", "Whether yPred holds classes, best first, instead of scores.",
     false, false},
};
constexpr OpAttribute kAxis[] = {
    {"axis", "number", "Axis of the vectors.", false, -1},
};
constexpr OpAttribute kThresholds[] = {
    {"thresholds", "float | float[] | null",
     "Predictions above this threshold count as positive. A list returns one number for each "
     "threshold; null: 0.5.",
     false, Default{}},
};
constexpr OpAttribute kClassId = {
    "class_id", "number | null",
    "The only class that counts, an index of the last axis; null: all classes.", false, Default{}};
constexpr OpAttribute kDecisions[] = {
    kThresholds[0],
    {"top_k", "number | null",
     "Only the k highest predictions of each row may count as positive; null: all.", false,
     Default{}},
    kClassId,
};
constexpr OpAttribute kArea[] = {
    {"num_thresholds", "number", "Number of thresholds; at least 2.", false, 200},
    {"curve", "'ROC' | 'PR' | 'PRGAIN'",
     "'ROC': true positive rate over false positive rate; 'PR': precision over recall; 'PRGAIN': "
     "precision gain over recall gain.",
     false, "ROC"},
    {"summation_method", "'interpolation' | 'minoring' | 'majoring'",
     "Height of the curve between two thresholds: 'interpolation' of both, the lower height "
     "('minoring') or the higher one ('majoring').",
     false, "interpolation"},
    {"thresholds", "float[] | null", "Thresholds from 0 to 1; they replace numThresholds.", false,
     Default{}},
    {"from_logits", "boolean", "Whether yPred holds logits instead of probabilities.", false,
     false},
    {"multi_label", "boolean",
     "Whether the result is the mean of one area for each label, an index of the last axis.", false,
     false},
    {"num_labels", "number | null", "Number of labels with multiLabel; null: that of yPred.", false,
     Default{}},
    {"label_weights", "float[] | null", "Weight of each label; null: equal weights.", false,
     Default{}},
};
constexpr OpAttribute kNumThresholds = {
    "num_thresholds", "number", "Number of thresholds that are tried, from 0 to 1.", false, 200};
constexpr OpAttribute kAtSpecificity[] = {
    {"specificity", "float", "Lower bound of the specificity, from 0 to 1.", true, {}},
    kNumThresholds,
    kClassId};
constexpr OpAttribute kAtSensitivity[] = {
    {"sensitivity", "float", "Lower bound of the sensitivity, from 0 to 1.", true, {}},
    kNumThresholds,
    kClassId};
constexpr OpAttribute kAtPrecision[] = {
    {"precision", "float", "Lower bound of the precision, from 0 to 1.", true, {}},
    kNumThresholds,
    kClassId};
constexpr OpAttribute kAtRecall[] = {
    {"recall", "float", "Lower bound of the recall, from 0 to 1.", true, {}},
    kNumThresholds,
    kClassId};
constexpr OpAttribute kF1Score[] = {
    {"average", "'micro' | 'macro' | 'weighted' | null",
     "'micro': the score of all classes together; 'macro': the mean over classes; 'weighted': the "
     "mean weighted by the number of positive targets; null: a score for each class.",
     false, Default{}},
    {"threshold", "float | null",
     "Predictions above this number count as positive; null: the highest of each row does.", false,
     Default{}},
};
constexpr OpAttribute kFBetaScore[] = {
    kF1Score[0],
    kF1Score[1],
    {"beta", "float", "Weight of recall relative to precision; above 0.", false, 1},
};
constexpr OpAttribute kClasses = {"num_classes", "number", "Number of classes.", true, {}};
constexpr OpAttribute kTargetIds = {
    "target_class_ids", "number[]", "Classes over which the mean is computed.", true, {}};
constexpr OpAttribute kIgnored = {"ignore_class", "number | null",
                                  "Targets of this class do not count; null: all count.", false,
                                  Default{}};
constexpr OpAttribute kSparseTrue = {
    "sparse_y_true", "boolean", "Whether yTrue holds classes; otherwise it has an axis of classes.",
    false, true};
constexpr OpAttribute kSparsePred = {
    "sparse_y_pred", "boolean", "Whether yPred holds classes; otherwise it has an axis of scores.",
    false, true};
constexpr OpAttribute kDensePred = {
    "sparse_y_pred", "boolean", "Whether yPred holds classes; otherwise it has an axis of scores.",
    false, false};
constexpr OpAttribute kClassAxis = {"axis", "number", "Axis of the classes.", false, -1};
constexpr OpAttribute kDType = {
    "dtype", "string | null",
    "null: sample weights are truncated to integers, as in Keras; 'float32': they are not.", false,
    Default{}};
constexpr OpAttribute kIoU[] = {kClasses,    kTargetIds, kIgnored, kSparseTrue,
                                kSparsePred, kClassAxis, kDType};
constexpr OpAttribute kMeanIoU[] = {kClasses,    kIgnored,   kSparseTrue,
                                    kSparsePred, kClassAxis, kDType};
constexpr OpAttribute kOneHotIoU[] = {kClasses,   kTargetIds, kIgnored,
                                      kDensePred, kClassAxis, kDType};
constexpr OpAttribute kOneHotMeanIoU[] = {kClasses, kIgnored, kDensePred, kClassAxis, kDType};
constexpr OpAttribute kBinaryIoU[] = {
    {"target_class_ids", "number[] | null",
     "Classes over which the mean is computed, of 0 and 1; null: both.", false, Default{}},
    {"threshold", "float", "Predictions of at least this number are of class 1.", false, 0.5},
    kDType,
};
constexpr OpAttribute kR2[] = {
    {"class_aggregation", "'uniform_average' | 'variance_weighted_average' | null",
     "How the scores of outputs are averaged; null: a score for each output.", false,
     "uniform_average"},
    {"num_regressors", "number",
     "Number of explanatory variables, for which the score is adjusted; 0: no adjustment.", false,
     0},
};

// True if fewer than k scores are higher than that of the correct class. y_true holds classes.
constexpr Literal kInTopK = "sum(y_pred > sum_keepdims(one_hot(y_true) * y_pred)) < $k";

// Letters of decisions.cpp. One letter is a count; two are the first count divided by their sum.
constexpr Literal kTruePositives = "t";
constexpr Literal kFalsePositives = "f";
constexpr Literal kFalseNegatives = "m";
constexpr Literal kTrueNegatives = "n";
constexpr Literal kPrecision = kTruePositives + kFalsePositives;
constexpr Literal kRecall = kTruePositives + kFalseNegatives;
constexpr Literal kSensitivity = kRecall;
constexpr Literal kSpecificity = kTrueNegatives + kFalsePositives;

// The formulas are Keras's.
constexpr Measure kMetrics[] = {
    {{"Mean", "", {}, "Weighted mean of values."}, "", formula<"y_pred">, Targets::kAsGiven},
    {{"Sum", "", {}, "Weighted sum of values."},
     "",
     formula<"y_pred">,
     Targets::kAsGiven,
     Tally::kSum},
    {{"Accuracy", "", {}, "Share of elements in which yPred equals yTrue."},
     "",
     formula<"y_true == y_pred">},
    {{"BinaryAccuracy", "", kThreshold,
      "Share of elements in which yPred, compared with the threshold, gives the class yTrue, 0 or "
      "1."},
     "",
     formula<"(y_pred > $threshold) == y_true">},
    {{"CategoricalAccuracy",
      "",
      {},
      "Share of rows in which the highest prediction is at the index of the highest target. Both "
      "are [batch, …, classes]."},
     "",
     formula<"y_true = argmax(y_true);"
             "squeeze();"
             "y_true == argmax(y_pred)">,
     Targets::kAsGiven},
    {{"SparseCategoricalAccuracy",
      "",
      {},
      "Share of rows in which the highest prediction is that of the class yTrue. yTrue holds "
      "classes, numbered from 0, and lacks the last axis."},
     "",
     formula<"y_true == argmax(y_pred)">,
     Targets::kClasses},
    {{"TopKCategoricalAccuracy", "", kTopK,
      "Share of rows in which the class of the highest target is among the k highest predictions. "
      "Both are [batch, …, classes]."},
     "",
     formula<"y_true = argmax(y_true);"
             "rows();" +
             kInTopK>,
     Targets::kAsGiven},
    {{"SparseTopKCategoricalAccuracy", "", kSparseTopK,
      "Share of rows in which the class yTrue is among the k highest predictions. yTrue holds "
      "classes, numbered from 0, and lacks the last axis."},
     "",
     formula<"rows();"
             "$from_sorted_ids"
             " ? any(logical_and(expand_dims(y_true) == y_pred, cumsum(ones_like(y_pred)) <= $k))"
             " : " +
             kInTopK>,
     Targets::kAsGiven},
    {{"CosineSimilarity", "", kAxis,
      "Cosine of the angle between yTrue and yPred: 1 for the same direction, -1 for the opposite "
      "one."},
     "",
     formula<kCosineSimilarity>},
    {{"PearsonCorrelation", "", kAxis, "Pearson correlation of yTrue and yPred, from -1 to 1."},
     "",
     formula<"y_true = y_true - mean_keepdims(y_true);"
             "y_pred = y_pred - mean_keepdims(y_pred);"
             "mean(y_true / std_keepdims(y_true) * (y_pred / std_keepdims(y_pred)))">},
    // Like Keras, the covariance subtracts the mean of the predictions from the targets, too.
    {{"ConcordanceCorrelation", "", kAxis,
      "Concordance of yTrue and yPred, from -1 to 1: 1 only if they are equal (Lin 1989)."},
     "",
     formula<"mean_true = mean_keepdims(y_true);"
             "mean_pred = mean_keepdims(y_pred);"
             "covariance = (y_true - mean_pred) * (y_pred - mean_pred);"
             "variances = var_keepdims(y_true - mean_true) + var_keepdims(y_pred - mean_pred);"
             "mean(2 * covariance / (variances + square(mean_true - mean_pred) + epsilon))">},
    {{"LogCoshError", "", {}, "Mean of log(cosh(yPred - yTrue))."}, "logcosh", formula<kLogCosh>},
    {{"RootMeanSquaredError", "", {}, "Root of the mean of (yTrue - yPred) ** 2. Ignores masks."},
     "rmse",
     formula<"square(y_pred - y_true)">,
     Targets::kFitted,
     Tally::kRoot},
    {{"R2Score", "", kR2,
      "Coefficient of determination: share of the variance of yTrue that yPred explains, at most "
      "1. Both are [batch, outputs]. Ignores masks."},
     "",
     "",
     Targets::kFitted,
     Tally::kR2},
    {{"Precision", "", kDecisions,
      "Share of positive predictions that are correct. Ignores masks."},
     "",
     kText<kPrecision>,
     Targets::kFitted,
     Tally::kDecision},
    {{"Recall", "", kDecisions, "Share of positive targets that are predicted. Ignores masks."},
     "",
     kText<kRecall>,
     Targets::kFitted,
     Tally::kDecision},
    {{"TruePositives", "", kThresholds,
      "Number of positive predictions with positive targets, or the sum of their weights. Ignores "
      "masks."},
     "",
     kText<kTruePositives>,
     Targets::kFitted,
     Tally::kDecision},
    {{"FalsePositives", "", kThresholds,
      "Number of positive predictions with negative targets, or the sum of their weights. Ignores "
      "masks."},
     "",
     kText<kFalsePositives>,
     Targets::kFitted,
     Tally::kDecision},
    {{"FalseNegatives", "", kThresholds,
      "Number of negative predictions with positive targets, or the sum of their weights. Ignores "
      "masks."},
     "",
     kText<kFalseNegatives>,
     Targets::kFitted,
     Tally::kDecision},
    {{"TrueNegatives", "", kThresholds,
      "Number of negative predictions with negative targets, or the sum of their weights. Ignores "
      "masks."},
     "",
     kText<kTrueNegatives>,
     Targets::kFitted,
     Tally::kDecision},
    // Formulas: the bounded share, the maximized share, the setting with the bound.
    {{"SensitivityAtSpecificity", "", kAtSpecificity,
      "Highest sensitivity (share of positive targets that are predicted) at thresholds whose "
      "specificity (share of negative targets that are predicted) is high enough. Ignores masks."},
     "",
     kText<kSpecificity + " " + kSensitivity + " specificity">,
     Targets::kFitted,
     Tally::kBest},
    {{"SpecificityAtSensitivity", "", kAtSensitivity,
      "Highest specificity (share of negative targets that are predicted) at thresholds whose "
      "sensitivity (share of positive targets that are predicted) is high enough. Ignores masks."},
     "",
     kText<kSensitivity + " " + kSpecificity + " sensitivity">,
     Targets::kFitted,
     Tally::kBest},
    {{"PrecisionAtRecall", "", kAtRecall,
      "Highest precision at thresholds whose recall is high enough. Ignores masks."},
     "",
     kText<kRecall + " " + kPrecision + " recall">,
     Targets::kFitted,
     Tally::kBest},
    {{"RecallAtPrecision", "", kAtPrecision,
      "Highest recall at thresholds whose precision is high enough. Ignores masks."},
     "",
     kText<kPrecision + " " + kRecall + " precision">,
     Targets::kFitted,
     Tally::kBest},
    {{"AUC", "", kArea,
      "Area under a curve over all thresholds, from 0 to 1 for ROC and PR. Targets are 0 or 1. "
      "Ignores masks."},
     "",
     "",
     Targets::kFitted,
     Tally::kArea},
    {{"FBetaScore", "", kFBetaScore,
      "Weighted harmonic mean of precision and recall: (1 + beta ** 2) * precision * recall / "
      "(beta ** 2 * precision + recall). yTrue and yPred are [batch, classes]. Ignores masks."},
     "fbeta_score",
     "",
     Targets::kAsGiven,
     Tally::kFScore},
    {{"F1Score", "", kF1Score,
      "Harmonic mean of precision and recall: 2 * precision * recall / (precision + recall). yTrue "
      "and yPred are [batch, classes]. Ignores masks."},
     "",
     "",
     Targets::kAsGiven,
     Tally::kFScore},
    {{"IoU", "", kIoU,
      "Intersection over union of yTrue and yPred, averaged over some classes. Ignores masks."},
     "iou",
     "",
     Targets::kAsGiven,
     Tally::kOverlap},
    {{"BinaryIoU", "", kBinaryIoU,
      "Intersection over union of yTrue and yPred for two classes, averaged. Ignores masks."},
     "",
     "",
     Targets::kAsGiven,
     Tally::kOverlap},
    {{"MeanIoU", "", kMeanIoU,
      "Intersection over union of yTrue and yPred, averaged over all classes. Ignores masks."},
     "",
     "",
     Targets::kAsGiven,
     Tally::kOverlap},
    {{"OneHotIoU", "", kOneHotIoU,
      "Intersection over union, averaged over some classes. yTrue is one-hot. Ignores masks."},
     "",
     "",
     Targets::kAsGiven,
     Tally::kOverlap},
    {{"OneHotMeanIoU", "", kOneHotMeanIoU,
      "Intersection over union, averaged over all classes. yTrue is one-hot. Ignores masks."},
     "",
     "",
     Targets::kAsGiven,
     Tally::kOverlap},
};
static_assert(std::ranges::all_of(kMetrics, [](const Measure& measure) {
  return reads_settings_of(measure.op, measure.formula);
}));

// One entry for each Tally from kDecision on, in the same order.
constexpr const Tallying* kTallyings[] = {&kDecisionTally, &kBestTally,    &kAreaTally,
                                          &kFScoreTally,   &kOverlapTally, &kR2Tally};

const Tallying* tallying_of(const Measure& metric) {
  return metric.tally < Tally::kDecision
             ? nullptr
             : kTallyings[static_cast<int>(metric.tally) - static_cast<int>(Tally::kDecision)];
}

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

// Replaces the values of masked steps by 0, if each value has a step.
Values selected(Values measured, const Tensor& mask) {
  const Shape& shape = measured.values.shape();
  if (mask.empty_handle() || shape.rank() < mask.rank()) return measured;
  if (shape.first(mask.rank()) != mask.shape()) return measured;
  const Tensor kept = broadcast_mask(mask, shape.rank());
  measured.values = ops::where(kept, measured.values, ops::number(0));
  return measured;
}

// Keras averages values and weights over all axes but the first before it sums. A batch therefore
// counts by its number of samples, not by their length.
void add_mean(Values measured, Tensor weight, bool mean, Sums& sums) {
  Tensor values = ops::cast(measured.values, DType::kFloat32);
  if (sums.empty()) sums.assign(2, 0);
  if (!weight.empty_handle()) {
    // As in Keras, ignore_class lowers the count only if there are weights or masks.
    weight = masked_weight(weight, measured.kept);
    fit_ranks(values, weight);
    std::vector<Dim> axes;
    for (Dim axis = weight.rank(); axis < values.rank(); ++axis) axes.push_back(axis);
    if (!axes.empty()) values = (mean ? ops::mean : ops::sum)(values, axes, false);
    check_fits(weight, "sample weight or mask", values.shape());
    weight = ops::multiply(weight, ops::ones_like(values));
    values = ops::multiply(values, weight);
  }
  const double rows = values.rank() == 0 ? 1 : static_cast<double>(values.shape()[0]);
  const double row_size = mean ? static_cast<double>(values.size()) / rows : 1;
  if (values.size() == 0) return;
  sums[0] += total(values) / row_size;
  sums[1] += !mean ? 1 - sums[1] : weight.empty_handle() ? rows : total(weight) / row_size;
}

}  // namespace

std::span<const Measure> all_metrics() { return kMetrics; }

Sums metric_update(const std::string& name, const Batch& batch, const Dict& settings, Sums sums) {
  const Measure& metric = find_metric(name, settings);
  const OpAttributes attributes(metric.op, settings);
  try {
    if (const Tallying* tallying = tallying_of(metric)) {
      tallying->add(metric, attributes, batch, sums);
      return sums;
    }
    Batch floats = prepared(batch, metric.targets == Targets::kFitted);
    if (metric.tally == Tally::kRoot) floats.mask = {};
    floats = without_masked_values(metric, floats);
    Values measured = values_of(metric, floats, attributes);
    if (counts_kept_steps(metric, floats)) floats.mask = {};
    const bool mean = metric.tally != Tally::kSum;
    add_mean(selected(std::move(measured), floats.mask), masked_weight(floats.weight, floats.mask),
             mean, sums);
    return sums;
  } catch (Error& error) {
    error.add_layer(text("metrics.", metric.op.name));
    throw;
  }
}

Value metric_result(const std::string& name, const Dict& settings, const Sums& sums) {
  const Measure& metric = find_metric(name, settings);
  try {
    if (const Tallying* tallying = tallying_of(metric)) {
      return tallying->result(metric, OpAttributes(metric.op, settings), sums);
    }
  } catch (Error& error) {
    error.add_layer(text("metrics.", metric.op.name));
    throw;
  }
  const double mean = sums.empty() ? 0 : ratio(sums[0], sums[1]);
  return metric.tally == Tally::kRoot ? std::sqrt(mean) : mean;
}

}  // namespace maskflow
