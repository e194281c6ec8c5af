// SPDX-License-Identifier: MIT
// Each element of the predictions is a decision. The sums are a histogram for positive targets,
// then one for negative targets: the weights of predictions that exceed no threshold, one, two, …
#include "measures/decisions.hpp"

#include <algorithm>
#include <cmath>

#include "ops/ops.hpp"

namespace maskflow {
namespace {

// Letters in formulas for the members of Decisions, in their order.
constexpr std::string_view kLetters = "tfmn";

Thresholds thresholds_of(const OpAttributes& settings) {
  // With top_k and without thresholds, all of the k highest predictions are positive.
  const bool has_top_k = !setting_if_any(settings, "top_k").is_null();
  const Value setting = settings.get("thresholds");
  if (setting.is_null()) return {{has_top_k ? -1e10F : 0.5F}};
  const List list = setting.is_list() ? setting.as_list("thresholds") : List{setting};
  Thresholds thresholds;
  for (const Value& value : list) {
    const double threshold = value.as_number("thresholds");
    if (!(threshold >= 0 && threshold <= 1)) {
      value_error("a threshold is ", threshold, " but must be from 0 to 1");
    }
    thresholds.values.push_back(static_cast<float>(threshold));
  }
  if (list.empty()) value_error("thresholds is an empty list; give a threshold or leave it out");
  thresholds.is_even = evenly_spread(thresholds.values);
  return thresholds;
}

// Number of thresholds that a score exceeds.
std::size_t exceeded(const Thresholds& thresholds, float score) {
  if (!thresholds.is_even) {
    return static_cast<std::size_t>(std::ranges::count_if(
        thresholds.values, [&](float threshold) { return score > threshold; }));
  }
  const auto last = static_cast<float>(thresholds.values.size() - 1);
  const float count = score > 0 ? std::ceil(std::min(score, 1.0F) * last) : 0;
  return std::max<std::size_t>(static_cast<std::size_t>(count), thresholds.is_extended ? 1 : 0);
}

// Keeps the `count` highest scores of each row, and replaces the others by a number that exceeds no
// threshold.
Tensor highest(const Tensor& scores, std::int64_t count) {
  const auto width = scores.rank() == 0 ? 1 : scores.shape().back();
  if (count < 0 || count > width) {
    value_error("top_k is ", count, " but a row has ", width, " predictions");
  }
  Tensor result = Tensor::full(DType::kFloat32, scores.shape(), -1e10);
  const std::span<const float> all = scores.data<float>();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::size_t at = i % static_cast<std::size_t>(width);
    const std::span<const float> row = all.subspan(i - at, static_cast<std::size_t>(width));
    std::int64_t rank = 0;  // Number of scores that are higher, or equal and earlier.
    for (std::size_t k = 0; k < row.size(); ++k) {
      rank += static_cast<std::int64_t>(row[k] > row[at] || (row[k] == row[at] && k < at));
    }
    if (rank < count) result.mutable_data<float>()[i] = row[at];
  }
  return result;
}

// Returns the elements of one class. As in Python, a negative index counts from the end.
Tensor column(const Tensor& x, std::int64_t index) {
  const Dim classes = x.rank() < 2 ? 0 : x.shape().back();
  const Dim place = index < 0 ? index + classes : index;
  if (place < 0 || place >= classes) {
    value_error("class_id is ", index, " but there are ", classes,
                " classes; give y_true and y_pred as [..., classes]");
  }
  return ops::slice_axis(x, x.rank() - 1, place, place + 1);
}

// Selects the predictions that count by top_k and class_id.
Batch select_predictions(Batch batch, const OpAttributes& settings) {
  const Value top_k = setting_if_any(settings, "top_k");
  const Value class_id = setting_if_any(settings, "class_id");
  // Weights have the shape of the targets, or without the last axis.
  if (!batch.weight.empty_handle() && batch.weight.rank() != batch.y_true.rank()) {
    batch.weight = ops::expand_dims(batch.weight, -1);
  }
  if (!top_k.is_null()) batch.y_pred = highest(batch.y_pred, top_k.as_integer("top_k"));
  if (!class_id.is_null()) {
    batch.y_true = column(batch.y_true, class_id.as_integer("class_id"));
    batch.y_pred = column(batch.y_pred, class_id.as_integer("class_id"));
  }
  return batch;
}

}  // namespace

Thresholds even_thresholds(const OpAttributes& settings, int least, bool is_extended) {
  // Limited, because two numbers for each threshold cross into JavaScript at every update.
  constexpr std::int64_t kMax = 100000;
  const std::int64_t count = settings.integer("num_thresholds");
  if (count < least || count > kMax) {
    value_error("num_thresholds is ", count, " but must be ", least, " to ", kMax);
  }
  Thresholds thresholds{{}, true, is_extended};
  for (std::int64_t i = 0; i < count; ++i) {
    thresholds.values.push_back(
        static_cast<float>(static_cast<double>(i) / static_cast<double>(count - 1)));
  }
  return thresholds;
}

bool evenly_spread(std::span<const float> thresholds) {
  const std::size_t count = thresholds.size();
  for (std::size_t i = 0; i < count; ++i) {
    const auto even = static_cast<float>(i) / static_cast<float>(count - 1);
    if (!(std::abs(thresholds[i] - even) <= 1e-7F + 1e-5F * even)) return false;
  }
  return count > 2;
}

void count_decisions(const Thresholds& thresholds, const OpAttributes& settings, const Batch& batch,
                     Sums& sums, bool per_label, std::span<const double> label_weights) {
  Batch selected = select_predictions(prepared(batch), settings);
  const Shape& shape = selected.y_pred.shape();
  // Keras flattens both first, so that sizes must agree, not shapes. A single target may stand for
  // all predictions, or the reverse; Keras allows less of this for even thresholds.
  const std::size_t targets = selected.y_true.size();
  const bool has_weights = !selected.weight.empty_handle();
  const bool repeats = thresholds.is_even
                           ? targets == 1 && (has_weights || !label_weights.empty())
                           : std::min(targets, selected.y_pred.size()) == 1 || per_label;
  if (targets != selected.y_pred.size() && !repeats) {
    shape_error("y_true has shape ", selected.y_true.shape(), " but y_pred has shape ", shape,
                "; give one target for each prediction");
  }
  const Tensor ones = ops::ones_like(selected.y_pred);
  if (has_weights) {
    check_fits(selected.weight, "sample weight", shape);
    selected.weight = ops::multiply(selected.weight, ones);
  }
  if (per_label) {
    check_fits(selected.y_true, "target", shape);
    selected.y_true = ops::multiply(selected.y_true, ones);
  }
  const std::span<const float> truths = selected.y_true.data<float>();
  const std::span<const float> scores = selected.y_pred.data<float>();
  const std::size_t size = std::max(truths.size(), scores.size());
  const std::size_t width = shape.rank() == 0 ? 1 : static_cast<std::size_t>(shape.back());
  const std::size_t bins = thresholds.values.size() + 1;
  sums.resize((per_label ? width : 1) * 2 * bins);
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t at = i % scores.size();
    double weight = has_weights ? selected.weight.data<float>()[at] : 1;
    if (!label_weights.empty()) weight *= label_weights[i % width % label_weights.size()];
    const std::size_t histogram = truths[i % truths.size()] != 0 ? 0 : 1;
    const std::size_t label = per_label ? i % width : 0;
    sums[(2 * label + histogram) * bins + exceeded(thresholds, scores[at])] += weight;
  }
}

std::vector<Decisions> decisions_of(const Thresholds& thresholds, std::span<const double> sums) {
  const std::vector<float>& values = thresholds.values;
  const std::size_t bins = values.size() + 1;
  // Cumulative histograms: the weights of predictions that exceed at least i thresholds.
  std::vector<double> above(sums.begin(), sums.end());
  for (std::size_t i = above.size(); i-- > 0;) {
    if ((i + 1) % bins != 0) above[i] += above[i + 1];
  }
  std::vector<Decisions> result;
  for (std::size_t k = 0; k < values.size(); ++k) {
    // A prediction that exceeds a threshold exceeds all lower ones, too.
    const auto lower = thresholds.is_even
                           ? static_cast<std::ptrdiff_t>(k)
                           : std::ranges::count_if(values, [&](float x) { return x < values[k]; });
    const double true_positives = above[static_cast<std::size_t>(lower) + 1];
    const double false_positives = above[bins + static_cast<std::size_t>(lower) + 1];
    result.push_back({true_positives, false_positives, above[0] - true_positives,
                      above[bins] - false_positives});
  }
  return result;
}

namespace {

// Evaluates a formula of letters. A single letter stands for that count, several letters for the
// first count divided by their sum.
double evaluate(const Decisions& decisions, std::string_view letters) {
  const double counts[] = {decisions.true_positives, decisions.false_positives,
                           decisions.false_negatives, decisions.true_negatives};
  const auto count = [&](char letter) { return counts[kLetters.find(letter)]; };
  double sum = 0;
  for (const char letter : letters) sum += count(letter);
  return letters.size() == 1 ? sum : ratio(count(letters.front()), sum);
}

void add_decisions(const Measure&, const OpAttributes& settings, const Batch& batch, Sums& sums) {
  count_decisions(thresholds_of(settings), settings, batch, sums);
}

// Returns the metric at each threshold.
Value values_at(const Measure& measure, const OpAttributes& settings, const Sums& sums) {
  const Thresholds thresholds = thresholds_of(settings);
  Sums padded = sums;
  padded.resize(sums_per_label(thresholds));
  List results;
  for (const Decisions& decisions : decisions_of(thresholds, padded)) {
    results.emplace_back(evaluate(decisions, measure.formula));
  }
  return settings.get("thresholds").is_list() ? Value(results) : results.front();
}

Thresholds spread_thresholds(const OpAttributes& settings) {
  return settings.integer("num_thresholds") == 1 ? Thresholds{{0.5F}}
                                                 : even_thresholds(settings, 1, false);
}

void add_spread(const Measure&, const OpAttributes& settings, const Batch& batch, Sums& sums) {
  count_decisions(spread_thresholds(settings), settings, batch, sums);
}

// Returns the best share. The formula has three words: the letters of the bounded share, those of
// the maximized share, and the name of the setting with the lower bound.
Value best_value(const Measure& measure, const OpAttributes& settings, const Sums& sums) {
  const std::vector<std::string> formula = words(measure.formula);
  const auto bound = static_cast<float>(share(settings, formula[2].c_str()));
  const Thresholds thresholds = spread_thresholds(settings);
  Sums padded = sums;
  padded.resize(sums_per_label(thresholds));
  double best = 0;
  for (const Decisions& decisions : decisions_of(thresholds, padded)) {
    if (static_cast<float>(evaluate(decisions, formula[0])) < bound) continue;
    best = std::max(best, evaluate(decisions, formula[1]));
  }
  return best;
}

}  // namespace

constinit const Tallying kDecisionTally{add_decisions, values_at};
constinit const Tallying kBestTally{add_spread, best_value};

}  // namespace maskflow
