// SPDX-License-Identifier: MIT
// Counts of decisions: true ones found (t), found but not true (f), missed (m), neither (n). Every
// prediction is one, whatever the rank; a weight holds for the last axis.
#include <algorithm>

#include "ops/ops.hpp"
#include "train/area.hpp"
#include "train/metrics.hpp"

namespace maskflow {
namespace {

constexpr std::string_view kCounts = "tfmn";

std::vector<double> thresholds_of(const OpAttributes& settings, bool top) {
  const Value given = settings.get("thresholds");
  // With top_k alone everything among the highest is a yes.
  if (given.is_null()) return {top ? -1e10 : 0.5};
  List list;
  if (given.is_number()) {
    list.push_back(given);
  } else {
    list = given.as_list("thresholds");
  }
  std::vector<double> thresholds;
  for (const Value& value : list) {
    thresholds.push_back(value.as_number("thresholds"));
    if (thresholds.back() < 0 || thresholds.back() > 1) {
      value_error("a threshold is ", thresholds.back(), " but must lie between 0 and 1");
    }
  }
  return thresholds;
}

// One weight per prediction.
Tensor spread(Tensor weight, const Shape& shape) {
  if (weight.empty_handle()) return Tensor::full(DType::kFloat32, shape, 1);
  if (weight.rank() < shape.rank()) weight = ops::expand_dims(weight, -1);
  check_fits(weight, "sample weight", shape);
  return ops::multiply(weight, Tensor::full(DType::kFloat32, shape, 1));
}

// How many of the row are higher, or as high and earlier.
std::int64_t rank_in(std::span<const float> row, std::size_t at) {
  std::int64_t rank = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    rank += static_cast<std::int64_t>(row[i] > row[at] || (row[i] == row[at] && i < at));
  }
  return rank;
}

void count_by_threshold(const OpAttributes& settings, const Batch& batch, const Tensor& weight,
                        Sums& sums) {
  const auto setting = [&](std::string_view name) -> std::int64_t {
    for (const OpAttribute& attribute : settings.op().attributes) {
      if (attribute.name == name && !settings.is_null(name)) return settings.integer(name);
    }
    return -1;
  };
  const std::int64_t top = setting("top_k");
  const std::int64_t only = setting("class_id");
  const std::vector<double> thresholds = thresholds_of(settings, top >= 0);
  sums.resize(thresholds.size() * kCounts.size());
  const std::span<const float> scores = batch.y_pred.data<float>();
  const auto width = static_cast<std::size_t>(
      batch.y_pred.rank() == 0 ? 1 : std::max<Dim>(batch.y_pred.shape().back(), 1));
  if (only >= static_cast<std::int64_t>(width)) {
    value_error("class_id is ", only, " but y_pred has ", width, " classes, counted from 0");
  }
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const std::size_t at = i % width;
    if (only >= 0 && at != static_cast<std::size_t>(only)) continue;
    const bool among = top < 0 || rank_in(scores.subspan(i - at, width), at) < top;
    const bool truth = batch.y_true.data<float>()[i] != 0;
    for (std::size_t k = 0; k < thresholds.size(); ++k) {
      const bool found = among && scores[i] > static_cast<float>(thresholds[k]);
      const std::size_t which = truth ? (found ? 0 : 2) : (found ? 1 : 3);
      sums[k * kCounts.size() + which] += static_cast<double>(weight.data<float>()[i]);
    }
  }
}

}  // namespace

void count_decisions(const Measure& measure, const Batch& batch, const OpAttributes& settings,
                     Sums& sums) {
  const Shape& shape = batch.y_pred.shape();
  if (batch.y_true.shape() != shape) {
    shape_error("y_true has shape ", batch.y_true.shape(), " but y_pred has ", shape,
                "; there must be a target for every prediction");
  }
  const auto count = measure.tally == Tally::kArea ? count_by_bucket : count_by_threshold;
  count(settings, batch, spread(batch.weight, shape), sums);
}

std::vector<double> ratios(const Measure& measure, const Sums& sums) {
  std::vector<double> results;
  for (std::size_t k = 0; k < sums.size(); k += kCounts.size()) {
    const auto count = [&](char which) { return sums[k + kCounts.find(which)]; };
    double whole = 0;
    for (const char which : measure.formula) whole += count(which);
    const double part = count(measure.formula.front());
    results.push_back(measure.formula.size() == 1 ? part : ratio(part, whole));
  }
  return results;
}

}  // namespace maskflow
