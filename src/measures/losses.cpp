// SPDX-License-Identifier: MIT
#include "measures/losses.hpp"

#include <algorithm>
#include <utility>

#include "measures/formula.hpp"
#include "measures/infix.hpp"
#include "measures/masked_steps.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

constexpr OpAttribute kFromLogits = {
    "from_logits", "boolean", "Whether yPred holds logits instead of probabilities.", false, false};
constexpr OpAttribute kBinarySmoothing = {
    "label_smoothing", "float",
    "Share, from 0 to 1, by which targets are moved towards 1/2 (Szegedy et al. 2016).", false, 0};
constexpr OpAttribute kSmoothing = {"label_smoothing", "float",
                                    "Share, from 0 to 1, by which targets are moved towards equal "
                                    "probabilities of all classes (Szegedy et al. 2016).",
                                    false, 0};
constexpr OpAttribute kGamma = {
    "gamma", "float", "Exponent that lowers the loss of easy examples; 0: no change.", false, 2};
constexpr OpAttribute kMeanAxis = {"axis", "number", "Axis over which the mean is computed.", false,
                                   -1};
constexpr OpAttribute kClassAxis = {"axis", "number", "Axis of the classes.", false, -1};
constexpr OpAttribute kSetAxis = {"axis", "number | number[] | null",
                                  "Axis or axes over which sums are computed; null: all axes.",
                                  false, Default{}};

constexpr OpAttribute kBinarySettings[] = {kFromLogits, kBinarySmoothing, kMeanAxis};
constexpr OpAttribute kBinaryFocalSettings[] = {
    {"apply_class_balancing", "boolean",
     "Whether class 1 is weighted by alpha and class 0 by 1 - alpha.", false, false},
    {"alpha", "float", "Weight of class 1 with applyClassBalancing, from 0 to 1.", false, 0.25},
    kGamma,
    kFromLogits,
    kBinarySmoothing,
    kMeanAxis,
};
constexpr OpAttribute kCategoricalSettings[] = {kFromLogits, kSmoothing, kClassAxis};
constexpr OpAttribute kCategoricalFocalSettings[] = {
    {"alpha", "float", "Factor of the loss.", false, 0.25},
    kGamma,
    kFromLogits,
    kSmoothing,
    kClassAxis,
};
constexpr OpAttribute kSparseSettings[] = {
    kFromLogits,
    {"ignore_class", "number | null", "Class whose elements do not count; null: none.", false, {}},
    kClassAxis,
};
constexpr OpAttribute kHuberSettings[] = {
    {"delta", "float", "Error above which the loss grows linearly.", false, 1},
};
constexpr OpAttribute kAxisSettings[] = {
    {"axis", "number", "Axis of the vectors.", false, -1},
};
constexpr OpAttribute kDiceSettings[] = {kSetAxis};
constexpr OpAttribute kTverskySettings[] = {
    {"alpha", "float", "Weight of what is in yTrue but not in yPred.", false, 0.5},
    {"beta", "float", "Weight of what is in yPred but not in yTrue.", false, 0.5},
    kSetAxis,
};
constexpr OpAttribute kGeneralizedSettings[] = {
    {"q", "float",
     "Above 0 (near it, the loss is like cross-entropy) and below 1 (near it, the loss is like the "
     "mean absolute error).",
     false, 0.5},
};
constexpr OpAttribute kCircleSettings[] = {
    {"gamma", "float", "Factor of the similarities.", false, 80},
    {"margin", "float", "Margin between similarities within a class and between classes.", false,
     0.4},
    {"remove_diagonal", "boolean", "Whether pairs of a sample with itself are left out.", false,
     true},
};

// Label smoothing for two classes, and for any number of classes.
constexpr Literal kSmoothBinary =
    "y_true = y_true * (1 - $label_smoothing) + $label_smoothing / 2;";
constexpr Literal kSmooth =
    "y_true = y_true * (1 - $label_smoothing) + $label_smoothing / num_classes;";

constexpr Literal kBinaryCrossEntropy = "-(y_true * log(y_pred) + (1 - y_true) * log(1 - y_pred))";

// Predictions need not be probabilities: positive numbers are divided by their sum.
constexpr Literal kProbability = "clip(y_pred / sum_keepdims(y_pred), epsilon, 1 - epsilon)";
constexpr Literal kLogProbability =
    "($from_logits ? log_softmax(y_pred) : log(" + kProbability + "))";
constexpr Literal kCrossEntropy = "-sum(" + kLogProbability + " * y_true)";

// If all targets are 0 or 1, they become -1 and 1.
constexpr Literal kSigned =
    "y_true = where(all(y_true == square(y_true)), 2 * y_true - 1, y_true);";

// Matrices over all pairs of samples: 1 - cosine similarity, and flags (1 or 0) for pairs of the
// same class and of different classes.
constexpr Literal kPairs =
    "pairs();"
    "y_true = floor(y_true);"
    "distance = maximum(1 - matmul(y_pred, transpose(y_pred)), 0);"
    "same_class = expand_dims(y_true) == y_true;"
    "identity = triu(tril(ones_like(distance)));"
    "same = $remove_diagonal ? same_class * (1 - identity) : same_class * 1;"
    "other = 1 - same_class;";

// The formulas are Keras's. Documentation names the paper where there is one.
constexpr Measure kLosses[] = {
    {{"MeanSquaredError", "", {}, "Mean of (yTrue - yPred) ** 2 over the last axis."},
     "mse",
     formula<"mean(square(y_pred - y_true))">},
    {{"MeanAbsoluteError", "", {}, "Mean of |yTrue - yPred| over the last axis."},
     "mae",
     formula<"mean(abs(y_pred - y_true))">},
    {{"MeanAbsolutePercentageError",
      "",
      {},
      "100 times the mean of |(yTrue - yPred) / yTrue| over the last axis."},
     "mape",
     formula<"100 * mean(abs((y_true - y_pred) / maximum(abs(y_true), epsilon)))">},
    {{"MeanSquaredLogarithmicError",
      "",
      {},
      "Mean of (log(1 + yTrue) - log(1 + yPred)) ** 2 over the last axis. Numbers below 1e-7 count "
      "as 1e-7."},
     "msle",
     formula<"mean(square(log(maximum(y_pred, epsilon) + 1)"
             "          - log(maximum(y_true, epsilon) + 1)))">},
    {{"Huber", "", kHuberSettings,
      "Mean of d ** 2 / 2 where the error d = |yTrue - yPred| is at most delta, and of delta * (d "
      "- delta / 2) where it is larger (Huber 1964)."},
     "huber_loss",
     formula<"distance = abs(y_pred - y_true);"
             "mean(where(distance <= $delta,"
             "           square(distance) / 2,"
             "           (distance - $delta / 2) * $delta))">},
    {{"LogCosh", "", {}, "Mean of log(cosh(yPred - yTrue)) over the last axis."},
     "logcosh log_cosh_error",
     formula<kLogCosh>},
    {{"CosineSimilarity", "", kAxisSettings,
      "Negative cosine of the angle between yTrue and yPred: -1 for the same direction, 1 for the "
      "opposite one."},
     "cosine",
     formula<"-" + kCosineSimilarity>},
    {{"Poisson", "", {}, "Mean of yPred - yTrue * log(yPred) over the last axis."},
     "",
     formula<"mean(y_pred - y_true * log(y_pred + epsilon))">,
     Targets::kAsGiven},
    {{"KLDivergence",
      "",
      {},
      "Sum of yTrue * log(yTrue / yPred) over the last axis (Kullback & Leibler 1951). Both hold "
      "probabilities, which are clipped to at least 1e-7 and at most 1."},
     "kld kullback_leibler_divergence",
     formula<"y_true = clip(y_true, epsilon, 1);"
             "sum(y_true * log(y_true / clip(y_pred, epsilon, 1)))">,
     Targets::kAsGiven},
    // For logits x: max(x, 0) - x y + log(1 + e^-|x|), in which no exponential overflows.
    {{"BinaryCrossentropy", "", kBinarySettings,
      "Mean of -(yTrue * log(yPred) + (1 - yTrue) * log(1 - yPred)) over the last axis. Targets "
      "are 0 or 1, or probabilities."},
     "bce",
     formula<"same_shape();" + kSmoothBinary +
             "y_pred = $from_logits ? y_pred : clip(y_pred, epsilon, 1 - epsilon);"
             "mean($from_logits"
             " ? maximum(y_pred, 0) - y_pred * y_true + log1p(exp(-abs(y_pred)))"
             " : " +
             kBinaryCrossEntropy + ")">,
     Targets::kAsGiven},
    {{"BinaryFocalCrossentropy", "", kBinaryFocalSettings,
      "Binary cross-entropy times (1 - p) ** gamma, where p is the predicted probability of the "
      "correct class. Easy examples thus count less (Lin et al. 2017)."},
     "",
     formula<"same_shape();" + kSmoothBinary +
             "y_pred = $from_logits ? sigmoid(y_pred) : y_pred;"
             "p_t = y_true * y_pred + (1 - y_true) * (1 - y_pred);"
             "focal = (1 - p_t) ** $gamma;"
             "weight = $apply_class_balancing"
             " ? focal * (y_true * $alpha + (1 - y_true) * (1 - $alpha))"
             " : focal;"
             "y_pred = clip(y_pred, epsilon, 1 - epsilon);"
             "mean(weight * " +
             kBinaryCrossEntropy + ")">,
     Targets::kAsGiven},
    {{"CategoricalCrossentropy", "", kCategoricalSettings,
      "Negative sum of yTrue * log(yPred) over the axis of the classes. Both hold a probability "
      "for each class."},
     "cce",
     formula<"same_shape();" + kSmooth + kCrossEntropy>,
     Targets::kAsGiven},
    {{"CategoricalFocalCrossentropy", "", kCategoricalFocalSettings,
      "Categorical cross-entropy in which the term of each class is multiplied by alpha * (1 - "
      "yPred) ** gamma. Easy examples thus count less (Lin et al. 2017)."},
     "",
     formula<kSmooth +
             "y_pred = $from_logits ? softmax(y_pred) : y_pred;"
             "probability = " +
             kProbability +
             ";"
             "-sum($alpha * (1 - probability) ** $gamma * (y_true * log(probability)))">,
     Targets::kAsGiven},
    {{"SparseCategoricalCrossentropy", "", kSparseSettings,
      "Negative logarithm of the predicted probability of the correct class. yTrue holds classes, "
      "numbered from 0, and lacks the axis of the classes."},
     "scce",
     formula<"y_true = one_hot(y_true);"
             "same_shape();" +
             kCrossEntropy>,
     Targets::kClasses},
    {{"Hinge",
      "",
      {},
      "Mean of max(1 - yTrue * yPred, 0) over the last axis. Targets are -1 and 1, or 0 and 1."},
     "",
     formula<kSigned + "mean(maximum(1 - y_true * y_pred, 0))">,
     Targets::kAsGiven},
    {{"SquaredHinge",
      "",
      {},
      "Mean of max(1 - yTrue * yPred, 0) ** 2 over the last axis. Targets are -1 and 1, or 0 and "
      "1."},
     "",
     formula<kSigned + "mean(square(maximum(1 - y_true * y_pred, 0)))">,
     Targets::kAsGiven},
    {{"CategoricalGeneralizedCrossEntropy", "", kGeneralizedSettings,
      "(1 - p ** q) / q, where p is the predicted probability of the correct class; robust against "
      "wrong labels (Zhang et al. 2018). yTrue holds classes, numbered from 0, and lacks the last "
      "axis."},
     "",
     formula<"(1 - sum(one_hot(y_true) * y_pred) ** $q) / $q">},
    {{"Dice", "", kDiceSettings,
      "1 - 2 * sum(yTrue * yPred) / (sum(yTrue) + sum(yPred)): 1 minus the overlap of two sets "
      "(Dice 1945)."},
     "",
     formula<"1 - 2 * sum(y_true * y_pred) / (sum(y_true) + sum(y_pred) + epsilon)">,
     Targets::kAsGiven},
    {{"Tversky", "", kTverskySettings,
      "1 - both / (both + alpha * missed + beta * wrong), with both = sum(yTrue * yPred), missed = "
      "sum(yTrue * (1 - yPred)) and wrong = sum((1 - yTrue) * yPred) (Salehi et al. 2017)."},
     "",
     formula<"both = sum(y_true * y_pred);"
             "only_true = sum((1 - y_pred) * y_true);"
             "only_predicted = sum(y_pred * (1 - y_true));"
             "1 - both / (both + $alpha * only_true + $beta * only_predicted + epsilon)">,
     Targets::kAsGiven},
    // exp(log(0)) = 0 removes a pair from the sums of exponentials.
    {{"Circle", "", kCircleSettings,
      "Moves vectors of the same class together and vectors of different classes apart (Sun et al. "
      "2020). yPred holds vectors of length 1, [batch, features]; yTrue holds classes, [batch]. "
      "Samples whose loss is 0 do not count."},
     "",
     formula<kPairs + "weight = maximum(($margin + distance) * same, 0);"
                      "scores = where(same, -(weight * ($margin - distance) * $gamma), log(0));"
                      "near = logsumexp(scores);"
                      "weight = maximum((1 + $margin - distance) * other, 0);"
                      "scores = where(other, weight * (1 - $margin - distance) * $gamma, log(0));"
                      "far = logsumexp(scores);"
                      "loss = softplus(near + far);"
                      "kept = (loss > 0) * 1;"
                      "loss">,
     Targets::kClasses},
    {{"CTC",
      "",
      {},
      "Connectionist temporal classification (Graves et al. 2006). yPred holds logits, [batch, "
      "time, classes]; yTrue holds labels, [batch, length]. Class 0 is the blank and the padding "
      "of the labels."},
     "",
     formula<"ctc_loss(y_true, y_pred, count_nonzero(y_true), sum(max(ones_like(y_pred))))">,
     Targets::kAsGiven},
    {{"CategoricalHinge",
      "",
      {},
      "max(1 + highest score of a wrong class - score of the correct class, 0). yTrue is one-hot."},
     "",
     formula<"maximum(max((1 - y_true) * y_pred) - sum(y_true * y_pred) + 1, 0)">,
     Targets::kAsGiven},
};
static_assert(std::ranges::all_of(kLosses, [](const Measure& measure) {
  return reads_settings_of(measure.op, measure.formula);
}));

Tensor scalar(double x) { return Tensor::scalar(DType::kFloat32, x); }
double item(const Tensor& x) { return static_cast<double>(x.data<float>().front()); }

// Returns 0 for the divisor 0. The result depends on the total: its gradients are then 0 too.
Tensor quotient(const Tensor& total, const Tensor& divisor) {
  if (item(divisor) == 0) return ops::where(scalar(0), total, scalar(0));
  return ops::divide(total, divisor);
}

// Keras scales the mask instead of the result: kept elements weigh (all elements) / (kept
// elements).
Tensor scaled(const Tensor& kept) {
  constexpr double kEpsilon = 1e-7;
  const double kept_count = item(ops::sum(kept)) + kEpsilon;
  return ops::multiply(kept, scalar(static_cast<double>(kept.size()) / kept_count));
}

Tensor mean_over_kept(Tensor values, Tensor weight, Tensor kept) {
  if (kept.empty_handle()) kept = scalar(1);
  fit_ranks(values, kept);
  check_fits(kept, "mask", values.shape());
  kept = ops::multiply(kept, ops::ones_like(values));
  if (!weight.empty_handle()) {
    fit_ranks(values, weight);
    check_fits(weight, "sample weight", values.shape());
    values = ops::multiply(values, weight);
  }
  return quotient(ops::sum(ops::where(kept, values, scalar(0))), ops::sum(kept));
}

Tensor reduced(Tensor values, Tensor weight, const Tensor& kept, const std::string& reduction) {
  const bool mean = reduction == "mean" || reduction == "sum_over_batch_size";
  const bool weighted = reduction == "mean_with_sample_weight";
  if (!mean && !weighted && reduction != "sum" && reduction != "none") {
    config_error("reduction is '", reduction,
                 "' but must be 'sum_over_batch_size', 'mean', 'mean_with_sample_weight', "
                 "'mean_over_kept', 'sum' or 'none'");
  }
  weight = masked_weight(weight, mean && !kept.empty_handle() ? scaled(kept) : kept);
  if (!weight.empty_handle()) {
    fit_ranks(values, weight);
    // As in Keras, weights may broadcast the values to a larger shape: each weight then counts.
    if (!broadcastable(values.shape(), weight.shape())) {
      check_fits(weight, kept.empty_handle() ? "sample weight" : "mask", values.shape());
    }
    values = ops::multiply(values, weight);
  }
  if (reduction == "none" || values.rank() == 0) return values;
  if (reduction == "sum") return ops::sum(values);
  return quotient(ops::sum(values), weighted && !weight.empty_handle()
                                        ? ops::sum(weight)
                                        : scalar(static_cast<double>(values.size())));
}

// Removes the axis of the classes from the targets if it has size 1 there. Returns whether it did.
bool drop_class_axis(Batch& batch, const Value& axis) {
  Shape shape = batch.y_true.shape();
  if (shape.rank() == 0 || shape.rank() != batch.y_pred.rank()) return false;
  const int at = normalize_axis(axis.is_null() ? -1 : axis.as_integer("axis"), shape.rank());
  if (shape[at] != 1) return false;
  shape.erase(at);
  batch.y_true = batch.y_true.reshaped(shape);
  return true;
}

}  // namespace

std::span<const Measure> all_losses() { return kLosses; }

Values values_of(const Measure& measure, Batch batch, const OpAttributes& settings) {
  Values result;
  const Value ignored = setting_if_any(settings, "ignore_class");
  const std::size_t targets = batch.y_true.size();
  const bool has_dropped_axis = measure.targets == Targets::kClasses &&
                                drop_class_axis(batch, setting_if_any(settings, "axis"));
  if (const Value q = setting_if_any(settings, "q"); !q.is_null()) {
    if (!(q.as_number("q") > 0 && q.as_number("q") < 1)) {
      value_error("q is ", q, " but must be above 0 and below 1");
    }
  }
  if (!ignored.is_null()) {
    result.kept = ops::cast(ops::not_equal(batch.y_true, scalar(ignored.as_number("ignore_class"))),
                            DType::kFloat32);
    batch.y_true = ops::multiply(batch.y_true, result.kept);
  }
  // Keras 3.15 confuses targets and predictions: alpha and beta have each other's role.
  if (measure.op.name == "Tversky" && follows_keras_316()) std::swap(batch.y_true, batch.y_pred);
  if (counts_kept_steps(measure, batch)) {
    result.values = ctc_of_kept_steps(batch);
    return result;
  }
  const Formula evaluated = evaluate(measure.formula, {batch.y_true, batch.y_pred, settings});
  result.values = evaluated.values;
  if (has_dropped_axis && result.values.size() != targets) {
    shape_error("y_true has ", targets, " elements but y_pred has ", result.values.size(),
                " rows; give one target for each row");
  }
  if (!evaluated.kept.empty_handle()) result.kept = evaluated.kept;
  if (!ignored.is_null()) result.values = ops::where(result.kept, result.values, scalar(0));
  return result;
}

Tensor loss(const std::string& name, const Batch& batch, const Dict& settings,
            const std::string& reduction) {
  const Measure* measure = find_measure(kLosses, name);
  if (measure == nullptr) no_such_measure("loss", name, {kLosses});
  try {
    check_settings(measure->op, settings);
    Batch floats = without_masked_values(*measure, prepared(batch));
    const auto [values, own] = values_of(*measure, floats, OpAttributes(measure->op, settings));
    if (counts_kept_steps(*measure, floats)) floats.mask = {};
    Tensor kept = floats.mask.empty_handle() ? own : floats.mask;
    if (!own.empty_handle() && !floats.mask.empty_handle()) kept = ops::multiply(kept, own);
    return reduction == "mean_over_kept" ? mean_over_kept(values, floats.weight, kept)
                                         : reduced(values, floats.weight, kept, reduction);
  } catch (Error& error) {
    error.add_layer(text("losses.", measure->op.name));
    throw;
  }
}

}  // namespace maskflow
