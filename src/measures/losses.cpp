// SPDX-License-Identifier: MIT
#include "measures/losses.hpp"

#include "measures/formula.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

constexpr OpAttribute kBinarySettings[] = {
    {"from_logits", "boolean", "Are the predictions logits, not probabilities?", false, false},
    {"label_smoothing", "number", "0 to 1: how far targets are drawn towards 1/2.", false, 0},
    {"axis", "number", "The axis that is averaged.", false, -1},
};
constexpr OpAttribute kBinaryFocalSettings[] = {
    {"apply_class_balancing", "boolean", "Weight the classes by alpha and 1 - alpha?", false,
     false},
    {"alpha", "number", "Weight of class 1.", false, 0.25},
    {"gamma", "number", "How much less easy examples count.", false, 2},
    {"from_logits", "boolean", "Are the predictions logits, not probabilities?", false, false},
    {"label_smoothing", "number", "0 to 1: how far targets are drawn towards 1/2.", false, 0},
    {"axis", "number", "The axis that is averaged.", false, -1},
};
constexpr OpAttribute kCategoricalSettings[] = {
    {"from_logits", "boolean", "Are the predictions logits, not probabilities?", false, false},
    {"label_smoothing", "number", "0 to 1: how far targets are drawn towards even odds.", false, 0},
    {"axis", "number", "The axis of the classes.", false, -1},
};
constexpr OpAttribute kCategoricalFocalSettings[] = {
    {"alpha", "number", "Weight of all classes.", false, 0.25},
    {"gamma", "number", "How much less easy examples count.", false, 2},
    {"from_logits", "boolean", "Are the predictions logits, not probabilities?", false, false},
    {"label_smoothing", "number", "0 to 1: how far targets are drawn towards even odds.", false, 0},
    {"axis", "number", "The axis of the classes.", false, -1},
};
constexpr OpAttribute kSparseSettings[] = {
    {"from_logits", "boolean", "Are the predictions logits, not probabilities?", false, false},
    {"ignore_class", "number | null", "A class whose entries are left out.", false, {}},
    {"axis", "number", "The axis of the classes.", false, -1},
};
constexpr OpAttribute kHuberSettings[] = {
    {"delta", "number", "Up to here the square counts, beyond the distance.", false, 1},
};
constexpr OpAttribute kAxisSettings[] = {
    {"axis", "number", "The axis of the vectors.", false, -1},
};

constexpr OpAttribute kDiceSettings[] = {
    {"axis", "number | number[] | null", "The axes of one set; null: the batch is one.", false,
     Default{}},
};
constexpr OpAttribute kTverskySettings[] = {
    {"alpha", "number", "Weight of what is true but not predicted.", false, 0.5},
    {"beta", "number", "Weight of what is predicted but not true.", false, 0.5},
    {"axis", "number | number[] | null", "The axes of one set; null: the batch is one.", false,
     Default{}},
};
constexpr OpAttribute kGeneralizedSettings[] = {
    {"q", "number", "Between 0 (cross-entropy) and 1 (mean absolute error).", false, 0.5},
};
constexpr OpAttribute kCircleSettings[] = {
    {"gamma", "number", "Scale of the similarities.", false, 80},
    {"margin", "number", "How far classes are to be apart.", false, 0.4},
    {"remove_diagonal", "boolean", "Is a sample no pair with itself?", false, true},
};

// Targets 0 and 1 become -1 and 1; others are taken as they are.
#define MASKFLOW_SIGNED "t t Square Equal All t t + 1 - t Where :t "
#define MASKFLOW_BOUNDED "e Maximum 1 e - Minimum "
#define MASKFLOW_EVEN_HALVES "t 1 $label_smoothing - * $label_smoothing 2 / + :t "
#define MASKFLOW_EVEN_ODDS "t 1 $label_smoothing - * $label_smoothing c / + :t "
#define MASKFLOW_ODDS "p p Sum_ / " MASKFLOW_BOUNDED
#define MASKFLOW_LOG_ODDS "?from_logits p LogSoftmax. else " MASKFLOW_ODDS "Log end "
// Pairs of samples: d is the distance of their directions, m whether they are of one class, i the
// identity matrix.
#define MASKFLOW_PAIRS                                                               \
  "pairs t Floor :t 1 p p Transpose Matmul - 0 Maximum :d t ExpandDims. t Equal :m " \
  "d OnesLike Tril Triu :i "                                                         \
  "?remove_diagonal m 1 i - * :p else m 1 * :p end 1 m - :n "
#define MASKFLOW_BINARY "t p Log * 1 t - 1 p - Log * + Negative "

constexpr Measure kLosses[] = {
    {{"MeanSquaredError", "", {}, "Mean of (y_true - y_pred)^2."}, "mse", "p t - Square Mean."},
    {{"MeanAbsoluteError", "", {}, "Mean of |y_true - y_pred|."}, "mae", "p t - Absolute Mean."},
    {{"MeanAbsolutePercentageError", "", {}, "100 times the mean of |1 - y_pred / y_true|."},
     "mape",
     "t p - t Absolute e Maximum / Absolute Mean. 100 *"},
    {{"MeanSquaredLogarithmicError",
      "",
      {},
      "Mean of (log(1 + y_true) - log(1 + y_pred))^2; what is below 0 counts as 0."},
     "msle",
     "p e Maximum 1 + Log t e Maximum 1 + Log - Square Mean."},
    {{"Huber", "", kHuberSettings, "Half the square of small differences, the distance of large."},
     "huber_loss",
     "p t - Absolute :d d $delta LessEqual d Square 2 / d $delta 2 / - $delta * Where Mean."},
    {{"LogCosh", "", {}, "Mean of log(cosh(y_pred - y_true))."},
     "logcosh log_cosh_error",
     "p t - :d d 0 d d + - Softplus + 2 Log - Mean."},
    {{"CosineSimilarity", "", kAxisSettings, "-1 (same direction) to 1 (opposite)."},
     "cosine cosine_similarity",
     "t Normalize. p Normalize. * Sum. Negative"},
    {{"Poisson", "", {}, "Mean of y_pred - y_true log(y_pred)."},
     "",
     "p t p e + Log * - Mean.",
     Targets::kAsGiven},
    {{"KLDivergence", "", {}, "Sum of y_true log(y_true / y_pred)."},
     "kld kullback_leibler_divergence",
     "t e Maximum 1 Minimum :t t t p e Maximum 1 Minimum / Log * Sum.",
     Targets::kAsGiven},
    {{"BinaryCrossentropy", "", kBinarySettings, "Cross-entropy of yes and no, averaged."},
     "bce",
     "same " MASKFLOW_EVEN_HALVES "?from_logits p 0 Maximum p t * - 0 p Absolute - Exp Log1p + "
     "else p " MASKFLOW_BOUNDED ":p " MASKFLOW_BINARY "end Mean.",
     Targets::kAsGiven},
    {{"BinaryFocalCrossentropy", "", kBinaryFocalSettings,
      "Binary cross-entropy in which what is predicted well counts less."},
     "",
     "same " MASKFLOW_EVEN_HALVES "?from_logits p Sigmoid :p else end "
     "t p * 1 t - 1 p - * + :q 1 q - $gamma Power "
     "?apply_class_balancing t $alpha * 1 t - 1 $alpha - * + * else end "
     "p " MASKFLOW_BOUNDED ":p " MASKFLOW_BINARY "* Mean.",
     Targets::kAsGiven},
    {{"CategoricalCrossentropy", "", kCategoricalSettings,
      "Cross-entropy of targets and predictions that are distributions over classes."},
     "cce",
     "same " MASKFLOW_EVEN_ODDS MASKFLOW_LOG_ODDS "t * Sum. Negative",
     Targets::kAsGiven},
    {{"CategoricalFocalCrossentropy", "", kCategoricalFocalSettings,
      "Categorical cross-entropy in which what is predicted well counts less."},
     "",
     MASKFLOW_EVEN_ODDS "?from_logits p Softmax. :p else end " MASKFLOW_ODDS ":p "
                        "1 p - $gamma Power $alpha * t p Log * * Sum. Negative",
     Targets::kAsGiven},
    {{"SparseCategoricalCrossentropy", "", kSparseSettings,
      "Cross-entropy of targets that are classes, 0 and up: one axis less than y_pred."},
     "scce",
     "t OneHot# :t same " MASKFLOW_LOG_ODDS "t * Sum. Negative",
     Targets::kClasses},
    {{"Hinge", "", {}, "Mean of max(1 - y_true y_pred, 0); targets are -1 and 1, or 0 and 1."},
     "",
     MASKFLOW_SIGNED "1 t p * - 0 Maximum Mean.",
     Targets::kAsGiven},
    {{"SquaredHinge", "", {}, "Mean of max(1 - y_true y_pred, 0)^2."},
     "",
     MASKFLOW_SIGNED "1 t p * - 0 Maximum Square Mean.",
     Targets::kAsGiven},
    {{"CategoricalGeneralizedCrossEntropy", "", kGeneralizedSettings,
      "Cross-entropy that bears wrong labels (Zhang et al. 2018); targets are classes."},
     "",
     "1 t OneHot# p * Sum. $q Power - $q /"},
    {{"Dice", "", kDiceSettings, "1 minus the overlap of two sets, twice what both hold by all."},
     "",
     "1 t p * Sum. 2 * t Sum. p Sum. + e + / -",
     Targets::kAsGiven},
    {{"Tversky", "", kTverskySettings, "Dice with weights for what only one of the sets holds."},
     "",
     "1 t p * Sum. :i i i 1 p - t * Sum. $alpha * + p 1 t - * Sum. $beta * + e + / -",
     Targets::kAsGiven},
    {{"Circle", "", kCircleSettings,
      "For vectors of length 1, [batch, features]: those of one class near each other, others far "
      "(Sun et al. 2020). Targets are classes [batch]; a sample whose loss is 0 does not count."},
     "",
     MASKFLOW_PAIRS "p $margin d + p * 0 Maximum $margin d - * $gamma * Negative 0 Log Where "
                    "Logsumexp. n 1 $margin + d - n * 0 Maximum 1 $margin - d - * $gamma * 0 Log "
                    "Where Logsumexp. + Softplus :r r 0 Greater 1 * :k r",
     Targets::kClasses},
    {{"CTC",
      "",
      {},
      "Connectionist temporal classification (Graves et al. 2006): logits [batch, time, classes] "
      "for labels [batch, length]; class 0 is the blank and the padding of the labels."},
     "",
     "t p t CountNonzero. p OnesLike Max. Sum. CtcLoss",
     Targets::kAsGiven},
    {{"CategoricalHinge", "", {}, "How far the best wrong class is above the right one, plus 1."},
     "",
     "1 t - p * Max. t p * Sum. - 1 + 0 Maximum",
     Targets::kAsGiven},
};

Tensor sum(const Tensor& x) { return apply_op1("Sum", {&x, 1}); }
Tensor count(double n) { return Tensor::scalar(DType::kFloat32, n); }
double item(const Tensor& x) { return static_cast<double>(x.data<float>().front()); }

Tensor quotient(const Tensor& total, const Tensor& by) {
  return item(by) == 0 ? count(0) : ops::divide(total, by);
}

// Keras scales the mask instead of the result: kept entries weigh (entries) / (kept entries).
Tensor scaled(const Tensor& kept) {
  constexpr double kEpsilon = 1e-7;
  const double valid = item(sum(kept)) + kEpsilon;
  return ops::multiply(kept, count(static_cast<double>(kept.size()) / valid));
}

Tensor mean_over_kept(Tensor values, Tensor weight, Tensor kept) {
  if (kept.empty_handle()) kept = count(1);
  fit_ranks(values, kept);
  check_fits(kept, "mask", values.shape());
  kept = ops::multiply(kept, apply_op1("OnesLike", {&values, 1}));
  if (!weight.empty_handle()) {
    fit_ranks(values, weight);
    check_fits(weight, "sample weight", values.shape());
    values = ops::multiply(values, weight);
  }
  return quotient(sum(ops::where(kept, values, count(0))), sum(kept));
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
    // As in Keras weights may enlarge the values: they count once for each.
    if (!broadcastable(values.shape(), weight.shape())) {
      check_fits(weight, kept.empty_handle() ? "sample weight" : "mask", values.shape());
    }
    values = ops::multiply(values, weight);
  }
  if (reduction == "none" || values.rank() == 0) return values;
  if (reduction == "sum") return sum(values);
  return quotient(sum(values), weighted && !weight.empty_handle()
                                   ? sum(weight)
                                   : count(static_cast<double>(values.size())));
}

// If the targets have it, of size 1.
bool drop_class_axis(Batch& b, const Value& axis) {
  Shape shape = b.y_true.shape();
  if (shape.rank() == 0 || shape.rank() != b.y_pred.rank()) return false;
  const int at = normalize_axis(axis.is_null() ? -1 : axis.as_integer("axis"), shape.rank());
  if (shape[at] != 1) return false;
  shape.erase(at);
  b.y_true = b.y_true.reshaped(shape);
  return true;
}

}  // namespace

std::span<const Measure> all_losses() { return kLosses; }

Values values_of(const Measure& measure, Batch b, const OpAttributes& settings) {
  Values result;
  const Value ignored = setting_if_any(settings, "ignore_class");
  const std::size_t targets = b.y_true.size();
  const bool dropped =
      measure.targets == Targets::kClasses && drop_class_axis(b, setting_if_any(settings, "axis"));
  if (const Value q = setting_if_any(settings, "q"); !q.is_null()) {
    if (!(q.as_number("q") > 0 && q.as_number("q") < 1)) {
      value_error("q is ", q, " but must lie between 0 and 1");
    }
  }
  if (!ignored.is_null()) {
    result.kept = ops::cast(ops::not_equal(b.y_true, count(ignored.as_number("ignore_class"))),
                            DType::kFloat32);
    b.y_true = ops::multiply(b.y_true, result.kept);
  }
  const Formula formula = evaluate(measure.formula, {b.y_true, b.y_pred, settings});
  result.values = formula.values;
  if (dropped && result.values.size() != targets) {
    shape_error("there are ", targets, " targets but ", result.values.size(),
                " predictions; give one for each");
  }
  if (!formula.kept.empty_handle()) result.kept = formula.kept;
  if (!ignored.is_null()) result.values = ops::where(result.kept, result.values, count(0));
  return result;
}

Tensor loss(const std::string& name, const Batch& batch, const Dict& settings,
            const std::string& reduction) {
  const Measure* measure = find_measure(kLosses, name);
  if (measure == nullptr) no_such_measure("loss", name, {kLosses});
  try {
    check_settings(measure->op, settings);
    const Batch given = prepared(batch);
    const auto [values, own] = values_of(*measure, given, OpAttributes(measure->op, settings));
    Tensor kept = given.mask.empty_handle() ? own : given.mask;
    if (!own.empty_handle() && !given.mask.empty_handle()) kept = ops::multiply(kept, own);
    return reduction == "mean_over_kept" ? mean_over_kept(values, given.weight, kept)
                                         : reduced(values, given.weight, kept, reduction);
  } catch (Error& error) {
    error.add_layer(text("losses.", measure->op.name));
    throw;
  }
}

}  // namespace maskflow
