// SPDX-License-Identifier: MIT
#include "measures/metrics.hpp"

#include <algorithm>
#include <cmath>

#include "measures/infix.hpp"
#include "measures/losses.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

constexpr OpAttribute kThreshold[] = {
    {"threshold", "float", "Above it a prediction is a yes.", false, 0.5},
};
constexpr OpAttribute kTopK[] = {
    {"k", "number", "Among how many of the highest the class must be.", false, 5},
};
constexpr OpAttribute kAxis[] = {
    {"axis", "number", "The axis of the vectors.", false, -1},
};
constexpr OpAttribute kDecisions[] = {
    {"thresholds", "float | float[] | null", "Above them a prediction is a yes; null: 0.5.", false,
     Default{}},
    {"top_k", "number | null", "Only so many of the highest of each row can be a yes.", false,
     Default{}},
    {"class_id", "number | null", "Only this class counts.", false, Default{}},
};
constexpr OpAttribute kThresholds[] = {
    {"thresholds", "float | float[] | null", "Above them a prediction is a yes; null: 0.5.", false,
     Default{}},
};
constexpr OpAttribute kArea[] = {
    {"num_thresholds", "number", "In how many steps the curve is drawn; at least 2.", false, 200},
    {"curve", "'ROC' | 'PR' | 'PRGAIN'", "PR: precision over recall; PRGAIN: their gains.", false,
     "ROC"},
    {"summation_method", "'interpolation' | 'minoring' | 'majoring'",
     "How high the curve is between two thresholds: their mean, the lower or the higher.", false,
     "interpolation"},
    {"thresholds", "float[] | null", "The steps themselves, instead of num_thresholds.", false,
     Default{}},
    {"from_logits", "boolean", "Are the predictions logits, not probabilities?", false, false},
    {"multi_label", "boolean", "A curve for each label, the last axis, and the mean of the areas?",
     false, false},
    {"num_labels", "number | null", "How many labels there are; null: as many as come.", false,
     Default{}},
    {"label_weights", "float[] | null", "How much each label counts; null: all alike.", false,
     Default{}},
};
constexpr OpAttribute kSparseTopK[] = {
    kTopK[0],
    {"from_sorted_ids", "boolean", "Are y_pred the classes, best first, and not scores?", false,
     false},
};
constexpr OpAttribute kSteps = {"num_thresholds", "number", "How many thresholds are tried.", false,
                                200};
constexpr OpAttribute kOnly = {"class_id", "number | null", "Only this class counts.", false,
                               Default{}};
constexpr OpAttribute kAtSpecificity[] = {
    {"specificity", "float", "What specificity is needed, 0 to 1.", true, {}}, kSteps, kOnly};
constexpr OpAttribute kAtSensitivity[] = {
    {"sensitivity", "float", "What sensitivity is needed, 0 to 1.", true, {}}, kSteps, kOnly};
constexpr OpAttribute kAtPrecision[] = {
    {"precision", "float", "What precision is needed, 0 to 1.", true, {}}, kSteps, kOnly};
constexpr OpAttribute kAtRecall[] = {
    {"recall", "float", "What recall is needed, 0 to 1.", true, {}}, kSteps, kOnly};
constexpr OpAttribute kF1Score[] = {
    {"average", "'micro' | 'macro' | 'weighted' | null",
     "micro: all classes in one; macro: their mean; weighted: by how often they are true; null: a "
     "number for each class.",
     false, Default{}},
    {"threshold", "float | null", "Above it a prediction is a yes; null: the highest of a row.",
     false, Default{}},
};
constexpr OpAttribute kFBetaScore[] = {
    kF1Score[0],
    kF1Score[1],
    {"beta", "float", "How many times as much recall counts as precision.", false, 1},
};
constexpr OpAttribute kClasses = {"num_classes", "number", "How many classes there are.", true, {}};
constexpr OpAttribute kWanted = {
    "target_class_ids", "number[]", "The classes that are averaged.", true, {}};
constexpr OpAttribute kIgnored = {"ignore_class", "number | null",
                                  "Targets of this class are left out.", false, Default{}};
constexpr OpAttribute kSparseTrue = {"sparse_y_true", "boolean",
                                     "Are targets classes, not an axis of them?", false, true};
constexpr OpAttribute kSparsePred = {
    "sparse_y_pred", "boolean", "Are predictions classes, not an axis of scores?", false, true};
constexpr OpAttribute kDensePred = {
    "sparse_y_pred", "boolean", "Are predictions classes, not an axis of scores?", false, false};
constexpr OpAttribute kClassAxis = {"axis", "number", "The axis of the classes.", false, -1};
constexpr OpAttribute kDType = {"dtype", "string | null",
                                "null: weights are cut to whole numbers, as in Keras; 'float32' "
                                "takes them as they are.",
                                false, Default{}};
constexpr OpAttribute kIoU[] = {kClasses,    kWanted,    kIgnored, kSparseTrue,
                                kSparsePred, kClassAxis, kDType};
constexpr OpAttribute kMeanIoU[] = {kClasses,    kIgnored,   kSparseTrue,
                                    kSparsePred, kClassAxis, kDType};
constexpr OpAttribute kOneHotIoU[] = {kClasses, kWanted, kIgnored, kDensePred, kClassAxis, kDType};
constexpr OpAttribute kOneHotMeanIoU[] = {kClasses, kIgnored, kDensePred, kClassAxis, kDType};
constexpr OpAttribute kBinaryIoU[] = {
    {"target_class_ids", "number[] | null", "The classes that are averaged; null: both.", false,
     Default{}},
    {"threshold", "float", "From it on a prediction is of class 1.", false, 0.5},
    kDType,
};
constexpr OpAttribute kR2[] = {
    {"class_aggregation", "'uniform_average' | 'variance_weighted_average' | null",
     "How outputs become one number; null: a number for each output.", false, "uniform_average"},
    {"num_regressors", "number", "How many variables explain, to adjust for them; 0: not adjusted.",
     false, 0},
};

// Targets are classes: are fewer than k scores above that of the right one?
constexpr Literal kInTopK = "sum(y_pred > sum_keepdims(one_hot(y_true) * y_pred)) < $k";

// The letters of decisions.cpp: of one how many there are, of two the first over the sum of both.
constexpr Literal kTruePositives = "t";
constexpr Literal kFalsePositives = "f";
constexpr Literal kFalseNegatives = "m";  // missed
constexpr Literal kTrueNegatives = "n";
constexpr Literal kPrecision = kTruePositives + kFalsePositives;
constexpr Literal kRecall = kTruePositives + kFalseNegatives;
constexpr Literal kSensitivity = kRecall;
constexpr Literal kSpecificity = kTrueNegatives + kFalsePositives;

// The formulas are Keras's, and those of the papers that are named.
constexpr Measure kMetrics[] = {
    {{"Mean", "", {}, "Of the values it is shown."}, "", formula<"y_pred">, Targets::kAsGiven},
    {{"Sum", "", {}, "Of the values it is shown."},
     "",
     formula<"y_pred">,
     Targets::kAsGiven,
     Tally::kSum},
    {{"Accuracy", "", {}, "How often y_pred equals y_true."}, "", formula<"y_true == y_pred">},
    {{"BinaryAccuracy", "", kThreshold, "How often a yes or no is right."},
     "",
     formula<"(y_pred > $threshold) == y_true">},
    {{"CategoricalAccuracy", "", {}, "How often the highest is that of the target."},
     "",
     formula<"y_true = argmax(y_true);"
             "squeeze();"
             "y_true == argmax(y_pred)">,
     Targets::kAsGiven},
    {{"SparseCategoricalAccuracy", "", {}, "How often the highest is the class that is given."},
     "",
     formula<"y_true == argmax(y_pred)">,
     Targets::kClasses},
    {{"TopKCategoricalAccuracy", "", kTopK, "How often the target is among the k highest."},
     "",
     formula<"y_true = argmax(y_true);"
             "rows();" +
             kInTopK>,
     Targets::kAsGiven},
    {{"SparseTopKCategoricalAccuracy", "", kSparseTopK,
      "How often the class is among the k highest."},
     "",
     formula<"rows();"
             "$from_sorted_ids"
             " ? any(logical_and(expand_dims(y_true) == y_pred, cumsum(ones_like(y_pred)) <= $k))"
             " : " +
             kInTopK>,
     Targets::kAsGiven},
    {{"CosineSimilarity", "", kAxis, "1 (same direction) to -1 (opposite)."},
     "",
     formula<kCosineSimilarity>},
    {{"PearsonCorrelation", "", kAxis, "How well a straight line fits, -1 to 1."},
     "",
     formula<"y_true = y_true - mean_keepdims(y_true);"
             "y_pred = y_pred - mean_keepdims(y_pred);"
             "mean(y_true / std_keepdims(y_true) * (y_pred / std_keepdims(y_pred)))">},
    // Lin 1989; Keras subtracts the mean of the predictions from the targets, too.
    {{"ConcordanceCorrelation", "", kAxis, "How near the values are to being equal, -1 to 1."},
     "",
     formula<"mean_true = mean_keepdims(y_true);"
             "mean_pred = mean_keepdims(y_pred);"
             "covariance = (y_true - mean_pred) * (y_pred - mean_pred);"
             "variances = var_keepdims(y_true - mean_true) + var_keepdims(y_pred - mean_pred);"
             "mean(2 * covariance / (variances + square(mean_true - mean_pred) + epsilon))">},
    {{"LogCoshError", "", {}, "Mean of log(cosh(y_pred - y_true))."}, "logcosh", formula<kLogCosh>},
    {{"RootMeanSquaredError", "", {}, "Root of the mean of (y_true - y_pred)^2. Ignores masks."},
     "rmse",
     formula<"square(y_pred - y_true)">,
     Targets::kFitted,
     Tally::kRoot},
    {{"R2Score", "", kR2, "How much of the variance is explained. Ignores masks."},
     "",
     "",
     Targets::kFitted,
     Tally::kR2},
    {{"Precision", "", kDecisions, "How many of the yes are right. Ignores masks."},
     "",
     kText<kPrecision>,
     Targets::kFitted,
     Tally::kDecision},
    {{"Recall", "", kDecisions, "How many of the true are found. Ignores masks."},
     "",
     kText<kRecall>,
     Targets::kFitted,
     Tally::kDecision},
    {{"TruePositives", "", kThresholds, "True and found. Ignores masks."},
     "",
     kText<kTruePositives>,
     Targets::kFitted,
     Tally::kDecision},
    {{"FalsePositives", "", kThresholds, "Found but not true. Ignores masks."},
     "",
     kText<kFalsePositives>,
     Targets::kFitted,
     Tally::kDecision},
    {{"FalseNegatives", "", kThresholds, "True but missed. Ignores masks."},
     "",
     kText<kFalseNegatives>,
     Targets::kFitted,
     Tally::kDecision},
    {{"TrueNegatives", "", kThresholds, "Neither true nor found. Ignores masks."},
     "",
     kText<kTrueNegatives>,
     Targets::kFitted,
     Tally::kDecision},
    // What must be high enough, what is wanted, how high.
    {{"SensitivityAtSpecificity", "", kAtSpecificity,
      "The best sensitivity of the thresholds with enough specificity. Ignores masks."},
     "",
     kText<kSpecificity + " " + kSensitivity + " specificity">,
     Targets::kFitted,
     Tally::kBest},
    {{"SpecificityAtSensitivity", "", kAtSensitivity,
      "The best specificity of the thresholds with enough sensitivity. Ignores masks."},
     "",
     kText<kSensitivity + " " + kSpecificity + " sensitivity">,
     Targets::kFitted,
     Tally::kBest},
    {{"PrecisionAtRecall", "", kAtRecall,
      "The best precision of the thresholds with enough recall. Ignores masks."},
     "",
     kText<kRecall + " " + kPrecision + " recall">,
     Targets::kFitted,
     Tally::kBest},
    {{"RecallAtPrecision", "", kAtPrecision,
      "The best recall of the thresholds with enough precision. Ignores masks."},
     "",
     kText<kPrecision + " " + kRecall + " precision">,
     Targets::kFitted,
     Tally::kBest},
    {{"AUC", "", kArea, "Area under a curve over all thresholds. Ignores masks."},
     "",
     "",
     Targets::kFitted,
     Tally::kArea},
    {{"FBetaScore", "", kFBetaScore,
      "Between precision and recall; y_true and y_pred are [batch, classes]. Ignores masks."},
     "fbeta_score",
     "",
     Targets::kAsGiven,
     Tally::kFScore},
    {{"F1Score", "", kF1Score,
      "As much precision as recall; y_true and y_pred are [batch, classes]. Ignores masks."},
     "",
     "",
     Targets::kAsGiven,
     Tally::kFScore},
    {{"IoU", "", kIoU, "Intersection over union of some classes. Ignores masks."},
     "iou",
     "",
     Targets::kAsGiven,
     Tally::kOverlap},
    {{"BinaryIoU", "", kBinaryIoU, "Intersection over union of yes and no. Ignores masks."},
     "",
     "",
     Targets::kAsGiven,
     Tally::kOverlap},
    {{"MeanIoU", "", kMeanIoU, "Intersection over union of all classes. Ignores masks."},
     "",
     "",
     Targets::kAsGiven,
     Tally::kOverlap},
    {{"OneHotIoU", "", kOneHotIoU,
      "Intersection over union of some classes, targets an axis of them. Ignores masks."},
     "",
     "",
     Targets::kAsGiven,
     Tally::kOverlap},
    {{"OneHotMeanIoU", "", kOneHotMeanIoU,
      "Intersection over union of all classes, targets an axis of them. Ignores masks."},
     "",
     "",
     Targets::kAsGiven,
     Tally::kOverlap},
};
static_assert(std::ranges::all_of(kMetrics, [](const Measure& measure) {
  return reads_settings_of(measure.op, measure.formula);
}));

// By the kinds that are no means.
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

// Keras averages over everything but the first axis of values and weights before it sums, so a
// batch counts by its samples, however long they are.
void add_mean(Values batch, Tensor weight, bool mean, Sums& sums) {
  Tensor values = ops::cast(batch.values, DType::kFloat32);
  if (sums.empty()) sums.assign(2, 0);
  if (!weight.empty_handle()) {
    // As in Keras, a class to be ignored leaves the count only where there are weights or masks.
    weight = masked_weight(weight, batch.kept);
    fit_ranks(values, weight);
    std::vector<Dim> axes;
    for (Dim axis = weight.rank(); axis < values.rank(); ++axis) axes.push_back(axis);
    if (!axes.empty()) values = (mean ? ops::mean : ops::sum)(values, axes, false);
    check_fits(weight, "sample weight or mask", values.shape());
    weight = ops::multiply(weight, ops::ones_like(values));
    values = ops::multiply(values, weight);
  }
  const double rows = values.rank() == 0 ? 1 : static_cast<double>(values.shape()[0]);
  const double entries = mean ? static_cast<double>(values.size()) / rows : 1;
  if (values.size() == 0) return;
  sums[0] += total(values) / entries;
  sums[1] += !mean ? 1 - sums[1] : weight.empty_handle() ? rows : total(weight) / entries;
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
    const Batch given = prepared(batch, metric.targets == Targets::kFitted);
    const Tensor mask = metric.tally == Tally::kRoot ? Tensor() : given.mask;
    add_mean(values_of(metric, given, attributes), masked_weight(given.weight, mask),
             metric.tally != Tally::kSum, sums);
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
