// SPDX-License-Identifier: MIT
// Every prediction is a decision, whatever the rank. Sums are, for true and for false ones, how
// many exceed none of the thresholds, one of them, two …
#include "measures/decisions.hpp"

#include <algorithm>
#include <cmath>

#include "ops/ops.hpp"

namespace maskflow {
namespace {

constexpr std::string_view kNames = "tfmn";  // in formulas: the members of Decisions

Thresholds thresholds_of(const OpAttributes& settings) {
  // With top_k alone everything among the highest is a yes.
  const bool top = !setting_if_any(settings, "top_k").is_null();
  const Value given = settings.get("thresholds");
  if (given.is_null()) return {{top ? -1e10F : 0.5F}};
  const List list = given.is_list() ? given.as_list("thresholds") : List{given};
  Thresholds thresholds;
  for (const Value& value : list) {
    const double threshold = value.as_number("thresholds");
    if (!(threshold >= 0 && threshold <= 1)) {
      value_error("a threshold is ", threshold, " but must lie between 0 and 1");
    }
    thresholds.at.push_back(static_cast<float>(threshold));
  }
  if (list.empty()) value_error("thresholds is an empty list; give one or leave it out");
  thresholds.even = evenly_spread(thresholds.at);
  return thresholds;
}

// How many thresholds a score exceeds.
std::size_t place_of(float score, const Thresholds& thresholds) {
  if (!thresholds.even) {
    return static_cast<std::size_t>(
        std::ranges::count_if(thresholds.at, [&](float at) { return score > at; }));
  }
  const auto last = static_cast<float>(thresholds.at.size() - 1);
  const float place = score > 0 ? std::ceil(std::min(score, 1.0F) * last) : 0;
  return std::max<std::size_t>(static_cast<std::size_t>(place), thresholds.beyond ? 1 : 0);
}

// What is not among the highest of its row is no yes, whatever the threshold.
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
    std::int64_t rank = 0;  // how many are higher, or as high and earlier
    for (std::size_t k = 0; k < row.size(); ++k) {
      rank += static_cast<std::int64_t>(row[k] > row[at] || (row[k] == row[at] && k < at));
    }
    if (rank < count) result.mutable_data<float>()[i] = row[at];
  }
  return result;
}

// Of one class; a negative one is counted from the end, as everywhere in Python.
Tensor column(const Tensor& x, std::int64_t index) {
  const Dim classes = x.rank() < 2 ? 0 : x.shape().back();
  const Dim place = index < 0 ? index + classes : index;
  if (place < 0 || place >= classes) {
    value_error("class_id is ", index, " but there are ", classes,
                " classes; give y_true and y_pred as [..., classes]");
  }
  return ops::slice_axis(x, x.rank() - 1, place, place + 1);
}

Batch selected(Batch batch, const OpAttributes& settings) {
  const Value top = setting_if_any(settings, "top_k");
  const Value only = setting_if_any(settings, "class_id");
  // A weight is for a row, or for each prediction.
  if (!batch.weight.empty_handle() && batch.weight.rank() != batch.y_true.rank()) {
    batch.weight = ops::expand_dims(batch.weight, -1);
  }
  if (!top.is_null()) batch.y_pred = highest(batch.y_pred, top.as_integer("top_k"));
  if (!only.is_null()) {
    batch.y_true = column(batch.y_true, only.as_integer("class_id"));
    batch.y_pred = column(batch.y_pred, only.as_integer("class_id"));
  }
  return batch;
}

}  // namespace

Thresholds even_thresholds(const OpAttributes& settings, int least, bool beyond) {
  constexpr std::int64_t kMost = 100000;  // two numbers for each cross into JavaScript every time
  const std::int64_t count = settings.integer("num_thresholds");
  if (count < least || count > kMost) {
    value_error("num_thresholds is ", count, " but must be ", least, " to ", kMost);
  }
  Thresholds thresholds{{}, true, beyond};
  for (std::int64_t i = 0; i < count; ++i) {
    thresholds.at.push_back(
        static_cast<float>(static_cast<double>(i) / static_cast<double>(count - 1)));
  }
  return thresholds;
}

bool evenly_spread(std::span<const float> thresholds) {
  const std::size_t count = thresholds.size();
  for (std::size_t i = 0; i < count; ++i) {
    const auto wanted = static_cast<float>(i) / static_cast<float>(count - 1);
    if (!(std::abs(thresholds[i] - wanted) <= 1e-7F + 1e-5F * wanted)) return false;
  }
  return count > 2;
}

void count_decisions(const Thresholds& thresholds, const OpAttributes& settings, const Batch& batch,
                     Sums& sums, bool labels, std::span<const double> label_weights) {
  Batch given = selected(prepared(batch), settings);
  const Shape& shape = given.y_pred.shape();
  // As in Keras they are laid out in a row first: sizes count, not shapes. One target may be for
  // all predictions, or the reverse; not all that Keras allows for thresholds it compares with
  // holds for even ones.
  const std::size_t targets = given.y_true.size();
  const bool weighted = !given.weight.empty_handle();
  const bool one = thresholds.even ? targets == 1 && (weighted || !label_weights.empty())
                                   : std::min(targets, given.y_pred.size()) == 1 || labels;
  if (targets != given.y_pred.size() && !one) {
    shape_error("y_true has shape ", given.y_true.shape(), " but y_pred has ", shape,
                "; there must be a target for every prediction");
  }
  const Tensor ones = ops::ones_like(given.y_pred);
  if (weighted) {
    check_fits(given.weight, "sample weight", shape);
    given.weight = ops::multiply(given.weight, ones);
  }
  if (labels) {
    check_fits(given.y_true, "target", shape);
    given.y_true = ops::multiply(given.y_true, ones);
  }
  const std::span<const float> truths = given.y_true.data<float>();
  const std::span<const float> scores = given.y_pred.data<float>();
  const std::size_t size = std::max(truths.size(), scores.size());
  const std::size_t width = shape.rank() == 0 ? 1 : static_cast<std::size_t>(shape.back());
  const std::size_t places = thresholds.at.size() + 1;
  sums.resize((labels ? width : 1) * 2 * places);
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t at = i % scores.size();
    double weight = weighted ? given.weight.data<float>()[at] : 1;
    if (!label_weights.empty()) weight *= label_weights[i % width % label_weights.size()];
    const std::size_t side = truths[i % truths.size()] != 0 ? 0 : 1;
    const std::size_t label = labels ? i % width : 0;
    sums[(2 * label + side) * places + place_of(scores[at], thresholds)] += weight;
  }
}

std::vector<Decisions> decisions_of(const Thresholds& thresholds, std::span<const double> sums) {
  const std::vector<float>& at = thresholds.at;
  const std::size_t places = at.size() + 1;
  std::vector<double> above(sums.begin(), sums.end());  // how many exceed so many, or more
  for (std::size_t i = above.size(); i-- > 0;) {
    if ((i + 1) % places != 0) above[i] += above[i + 1];
  }
  std::vector<Decisions> result;
  for (std::size_t k = 0; k < at.size(); ++k) {
    // What exceeds a threshold exceeds all that are lower.
    const auto lower = thresholds.even
                           ? static_cast<std::ptrdiff_t>(k)
                           : std::ranges::count_if(at, [&](float x) { return x < at[k]; });
    const double found = above[static_cast<std::size_t>(lower) + 1];
    const double wrong = above[places + static_cast<std::size_t>(lower) + 1];
    result.push_back({found, wrong, above[0] - found, above[places] - wrong});
  }
  return result;
}

namespace {

// The first over the sum of all that are named; of one alone, how many there are.
double part_of(const Decisions& decisions, std::string_view names) {
  const double counts[] = {decisions.found, decisions.wrong, decisions.missed, decisions.left};
  const auto count = [&](char name) { return counts[kNames.find(name)]; };
  double whole = 0;
  for (const char name : names) whole += count(name);
  return names.size() == 1 ? whole : ratio(count(names.front()), whole);
}

void add_decisions(const Measure&, const OpAttributes& settings, const Batch& batch, Sums& sums) {
  count_decisions(thresholds_of(settings), settings, batch, sums);
}

Value parts(const Measure& measure, const OpAttributes& settings, const Sums& sums) {
  const Thresholds thresholds = thresholds_of(settings);
  Sums counted = sums;
  counted.resize(sums_per_label(thresholds));
  List results;
  for (const Decisions& decisions : decisions_of(thresholds, counted)) {
    results.emplace_back(part_of(decisions, measure.formula));
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

// The formula names what must be high enough, what is wanted, and the setting that says how high.
Value best(const Measure& measure, const OpAttributes& settings, const Sums& sums) {
  const std::vector<std::string> names = words(measure.formula);
  const auto least = static_cast<float>(share(settings, names[2].c_str()));
  const Thresholds thresholds = spread_thresholds(settings);
  Sums counted = sums;
  counted.resize(sums_per_label(thresholds));
  double highest = 0;
  for (const Decisions& decisions : decisions_of(thresholds, counted)) {
    if (static_cast<float>(part_of(decisions, names[0])) < least) continue;
    highest = std::max(highest, part_of(decisions, names[1]));
  }
  return highest;
}

}  // namespace

constinit const Tallying kDecisionTally{add_decisions, parts};
constinit const Tallying kBestTally{add_spread, best};

}  // namespace maskflow
