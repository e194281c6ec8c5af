// SPDX-License-Identifier: MIT
#include "measures/losses.hpp"

#include <algorithm>

#include "measures/formula.hpp"
#include "measures/infix.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

constexpr OpAttribute kBinarySettings[] = {
    {"from_logits", "boolean", "Are the predictions logits, not probabilities?", false, false},
    {"label_smoothing", "float", "0 to 1: how far targets are drawn towards 1/2.", false, 0},
    {"axis", "number", "The axis that is averaged.", false, -1},
};
constexpr OpAttribute kBinaryFocalSettings[] = {
    {"apply_class_balancing", "boolean", "Weight the classes by alpha and 1 - alpha?", false,
     false},
    {"alpha", "float", "Weight of class 1.", false, 0.25},
    {"gamma", "float", "How much less easy examples count.", false, 2},
    {"from_logits", "boolean", "Are the predictions logits, not probabilities?", false, false},
    {"label_smoothing", "float", "0 to 1: how far targets are drawn towards 1/2.", false, 0},
    {"axis", "number", "The axis that is averaged.", false, -1},
};
constexpr OpAttribute kCategoricalSettings[] = {
    {"from_logits", "boolean", "Are the predictions logits, not probabilities?", false, false},
    {"label_smoothing", "float", "0 to 1: how far targets are drawn towards even odds.", false, 0},
    {"axis", "number", "The axis of the classes.", false, -1},
};
constexpr OpAttribute kCategoricalFocalSettings[] = {
    {"alpha", "float", "Weight of all classes.", false, 0.25},
    {"gamma", "float", "How much less easy examples count.", false, 2},
    {"from_logits", "boolean", "Are the predictions logits, not probabilities?", false, false},
    {"label_smoothing", "float", "0 to 1: how far targets are drawn towards even odds.", false, 0},
    {"axis", "number", "The axis of the classes.", false, -1},
};
constexpr OpAttribute kSparseSettings[] = {
    {"from_logits", "boolean", "Are the predictions logits, not probabilities?", false, false},
    {"ignore_class", "number | null", "A class whose entries are left out.", false, {}},
    {"axis", "number", "The axis of the classes.", false, -1},
};
constexpr OpAttribute kHuberSettings[] = {
    {"delta", "float", "Up to here the square counts, beyond the distance.", false, 1},
};
constexpr OpAttribute kAxisSettings[] = {
    {"axis", "number", "The axis of the vectors.", false, -1},
};

constexpr OpAttribute kDiceSettings[] = {
    {"axis", "number | number[] | null", "The axes of one set; null: the batch is one.", false,
     Default{}},
};
constexpr OpAttribute kTverskySettings[] = {
    {"alpha", "float", "Weight of what is true but not predicted.", false, 0.5},
    {"beta", "float", "Weight of what is predicted but not true.", false, 0.5},
    {"axis", "number | number[] | null", "The axes of one set; null: the batch is one.", false,
     Default{}},
};
constexpr OpAttribute kGeneralizedSettings[] = {
    {"q", "float", "Between 0 (cross-entropy) and 1 (mean absolute error).", false, 0.5},
};
constexpr OpAttribute kCircleSettings[] = {
    {"gamma", "float", "Scale of the similarities.", false, 80},
    {"margin", "float", "How far classes are to be apart.", false, 0.4},
    {"remove_diagonal", "boolean", "Is a sample no pair with itself?", false, true},
};

// Targets are drawn towards even odds (Szegedy et al. 2016): of yes and no, or of all classes.
constexpr Literal kSmoothOfTwo = "y_true = y_true * (1 - $label_smoothing) + $label_smoothing / 2;";
constexpr Literal kSmooth =
    "y_true = y_true * (1 - $label_smoothing) + $label_smoothing / num_classes;";

constexpr Literal kBinaryCrossEntropy = "-(y_true * log(y_pred) + (1 - y_true) * log(1 - y_pred))";

// Of whatever positive numbers the predictions are.
constexpr Literal kProbability = "clip(y_pred / sum_keepdims(y_pred), epsilon, 1 - epsilon)";
constexpr Literal kLogProbability =
    "($from_logits ? log_softmax(y_pred) : log(" + kProbability + "))";
constexpr Literal kCrossEntropy = "-sum(" + kLogProbability + " * y_true)";

// Targets 0 and 1 become -1 and 1; others are taken as they are.
constexpr Literal kSigned =
    "y_true = where(all(y_true == square(y_true)), 2 * y_true - 1, y_true);";

// Of all pairs of samples: how far their directions are apart, and of which pairs the classes are
// the same or others (1 or 0).
constexpr Literal kPairs =
    "pairs();"
    "y_true = floor(y_true);"
    "distance = maximum(1 - matmul(y_pred, transpose(y_pred)), 0);"
    "same_class = expand_dims(y_true) == y_true;"
    "identity = triu(tril(ones_like(distance)));"
    "same = $remove_diagonal ? same_class * (1 - identity) : same_class * 1;"
    "other = 1 - same_class;";

// The formulas are Keras's, and those of the papers that are named.
constexpr Measure kLosses[] = {
    {{"MeanSquaredError", "", {}, "Mean of (y_true - y_pred)^2."},
     "mse",
     formula<"mean(square(y_pred - y_true))">},
    {{"MeanAbsoluteError", "", {}, "Mean of |y_true - y_pred|."},
     "mae",
     formula<"mean(abs(y_pred - y_true))">},
    {{"MeanAbsolutePercentageError", "", {}, "100 times the mean of |1 - y_pred / y_true|."},
     "mape",
     formula<"100 * mean(abs((y_true - y_pred) / maximum(abs(y_true), epsilon)))">},
    {{"MeanSquaredLogarithmicError",
      "",
      {},
      "Mean of (log(1 + y_true) - log(1 + y_pred))^2; what is below 0 counts as 0."},
     "msle",
     formula<"mean(square(log(maximum(y_pred, epsilon) + 1)"
             "          - log(maximum(y_true, epsilon) + 1)))">},
    // Huber 1964.
    {{"Huber", "", kHuberSettings, "Half the square of small differences, the distance of large."},
     "huber_loss",
     formula<"distance = abs(y_pred - y_true);"
             "mean(where(distance <= $delta,"
             "           square(distance) / 2,"
             "           (distance - $delta / 2) * $delta))">},
    {{"LogCosh", "", {}, "Mean of log(cosh(y_pred - y_true))."},
     "logcosh log_cosh_error",
     formula<kLogCosh>},
    {{"CosineSimilarity", "", kAxisSettings, "-1 (same direction) to 1 (opposite)."},
     "cosine",
     formula<"-" + kCosineSimilarity>},
    {{"Poisson", "", {}, "Mean of y_pred - y_true log(y_pred)."},
     "",
     formula<"mean(y_pred - y_true * log(y_pred + epsilon))">,
     Targets::kAsGiven},
    // Kullback & Leibler 1951.
    {{"KLDivergence", "", {}, "Sum of y_true log(y_true / y_pred)."},
     "kld kullback_leibler_divergence",
     formula<"y_true = clip(y_true, epsilon, 1);"
             "sum(y_true * log(y_true / clip(y_pred, epsilon, 1)))">,
     Targets::kAsGiven},
    // Of logits x: max(x, 0) - x y + log(1 + e^-|x|), in which no exponential overflows.
    {{"BinaryCrossentropy", "", kBinarySettings, "Cross-entropy of yes and no, averaged."},
     "bce",
     formula<"same_shape();" + kSmoothOfTwo +
             "y_pred = $from_logits ? y_pred : clip(y_pred, epsilon, 1 - epsilon);"
             "mean($from_logits"
             " ? maximum(y_pred, 0) - y_pred * y_true + log1p(exp(-abs(y_pred)))"
             " : " +
             kBinaryCrossEntropy + ")">,
     Targets::kAsGiven},
    // Lin et al. 2017.
    {{"BinaryFocalCrossentropy", "", kBinaryFocalSettings,
      "Binary cross-entropy in which what is predicted well counts less."},
     "",
     formula<"same_shape();" + kSmoothOfTwo +
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
      "Cross-entropy of targets and predictions that are distributions over classes."},
     "cce",
     formula<"same_shape();" + kSmooth + kCrossEntropy>,
     Targets::kAsGiven},
    // Lin et al. 2017.
    {{"CategoricalFocalCrossentropy", "", kCategoricalFocalSettings,
      "Categorical cross-entropy in which what is predicted well counts less."},
     "",
     formula<kSmooth +
             "y_pred = $from_logits ? softmax(y_pred) : y_pred;"
             "probability = " +
             kProbability +
             ";"
             "-sum($alpha * (1 - probability) ** $gamma * (y_true * log(probability)))">,
     Targets::kAsGiven},
    {{"SparseCategoricalCrossentropy", "", kSparseSettings,
      "Cross-entropy of targets that are classes, 0 and up: one axis less than y_pred."},
     "scce",
     formula<"y_true = one_hot(y_true);"
             "same_shape();" +
             kCrossEntropy>,
     Targets::kClasses},
    {{"Hinge", "", {}, "Mean of max(1 - y_true y_pred, 0); targets are -1 and 1, or 0 and 1."},
     "",
     formula<kSigned + "mean(maximum(1 - y_true * y_pred, 0))">,
     Targets::kAsGiven},
    {{"SquaredHinge", "", {}, "Mean of max(1 - y_true y_pred, 0)^2."},
     "",
     formula<kSigned + "mean(square(maximum(1 - y_true * y_pred, 0)))">,
     Targets::kAsGiven},
    {{"CategoricalGeneralizedCrossEntropy", "", kGeneralizedSettings,
      "Cross-entropy that bears wrong labels (Zhang et al. 2018); targets are classes."},
     "",
     formula<"(1 - sum(one_hot(y_true) * y_pred) ** $q) / $q">},
    // Dice 1945.
    {{"Dice", "", kDiceSettings, "1 minus the overlap of two sets, twice what both hold by all."},
     "",
     formula<"1 - 2 * sum(y_true * y_pred) / (sum(y_true) + sum(y_pred) + epsilon)">,
     Targets::kAsGiven},
    // Salehi et al. 2017.
    {{"Tversky", "", kTverskySettings, "Dice with weights for what only one of the sets holds."},
     "",
     formula<"both = sum(y_true * y_pred);"
             "only_true = sum((1 - y_pred) * y_true);"
             "only_predicted = sum(y_pred * (1 - y_true));"
             "1 - both / (both + $alpha * only_true + $beta * only_predicted + epsilon)">,
     Targets::kAsGiven},
    // log(0) leaves a pair out of the sums of exponentials.
    {{"Circle", "", kCircleSettings,
      "For vectors of length 1, [batch, features]: those of one class near each other, others far "
      "(Sun et al. 2020). Targets are classes [batch]; a sample whose loss is 0 does not count."},
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
      "Connectionist temporal classification (Graves et al. 2006): logits [batch, time, classes] "
      "for labels [batch, length]; class 0 is the blank and the padding of the labels."},
     "",
     formula<"ctc_loss(y_true, y_pred, count_nonzero(y_true), sum(max(ones_like(y_pred))))">,
     Targets::kAsGiven},
    {{"CategoricalHinge", "", {}, "How far the best wrong class is above the right one, plus 1."},
     "",
     formula<"maximum(max((1 - y_true) * y_pred) - sum(y_true * y_pred) + 1, 0)">,
     Targets::kAsGiven},
};
static_assert(std::ranges::all_of(kLosses, [](const Measure& measure) {
  return reads_settings_of(measure.op, measure.formula);
}));

Tensor count(double n) { return Tensor::scalar(DType::kFloat32, n); }
double item(const Tensor& x) { return static_cast<double>(x.data<float>().front()); }

Tensor quotient(const Tensor& total, const Tensor& by) {
  return item(by) == 0 ? count(0) : ops::divide(total, by);
}

// Keras scales the mask instead of the result: kept entries weigh (entries) / (kept entries).
Tensor scaled(const Tensor& kept) {
  constexpr double kEpsilon = 1e-7;
  const double valid = item(ops::sum(kept)) + kEpsilon;
  return ops::multiply(kept, count(static_cast<double>(kept.size()) / valid));
}

Tensor mean_over_kept(Tensor values, Tensor weight, Tensor kept) {
  if (kept.empty_handle()) kept = count(1);
  fit_ranks(values, kept);
  check_fits(kept, "mask", values.shape());
  kept = ops::multiply(kept, ops::ones_like(values));
  if (!weight.empty_handle()) {
    fit_ranks(values, weight);
    check_fits(weight, "sample weight", values.shape());
    values = ops::multiply(values, weight);
  }
  return quotient(ops::sum(ops::where(kept, values, count(0))), ops::sum(kept));
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
  if (reduction == "sum") return ops::sum(values);
  return quotient(ops::sum(values), weighted && !weight.empty_handle()
                                        ? ops::sum(weight)
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
  const Formula evaluated = evaluate(measure.formula, {b.y_true, b.y_pred, settings});
  result.values = evaluated.values;
  if (dropped && result.values.size() != targets) {
    shape_error("there are ", targets, " targets but ", result.values.size(),
                " predictions; give one for each");
  }
  if (!evaluated.kept.empty_handle()) result.kept = evaluated.kept;
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
