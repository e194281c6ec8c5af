// SPDX-License-Identifier: MIT
// Intersection over union of classes. The sums are the confusion matrix: weights by target (rows)
// and predicted class (columns).
#include <algorithm>
#include <cmath>

#include "measures/metrics.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

// Limited, because the matrix crosses into JavaScript at every update.
constexpr std::int64_t kMaxClasses = 1024;

// The settings of all metrics of this family, with the values of those that a metric does not have.
struct Overlap {
  std::int64_t classes = 2;
  std::vector<std::size_t> averaged;  // The classes of the result.
  bool truncates_weights;             // Keras counts in integers unless dtype is a float.
};

Overlap read(const OpAttributes& settings) {
  Overlap overlap;
  const Value classes = setting_if_any(settings, "num_classes");
  if (!classes.is_null()) overlap.classes = classes.as_integer("num_classes");
  if (overlap.classes < 1 || overlap.classes > kMaxClasses) {
    value_error("num_classes is ", overlap.classes, " but must be 1 to ", kMaxClasses);
  }
  const Value targets = setting_if_any(settings, "target_class_ids");
  const auto count = static_cast<std::size_t>(overlap.classes);
  for (std::size_t id = 0; targets.is_null() && id < count; ++id) overlap.averaged.push_back(id);
  if (!targets.is_null()) {
    for (const Value& target : targets.as_list("target_class_ids")) {
      const std::int64_t id = target.as_integer("target_class_ids");
      if (id < 0 || id >= overlap.classes) {
        value_error("target_class_ids has ", id, " but there are ", overlap.classes,
                    " classes, numbered from 0");
      }
      overlap.averaged.push_back(static_cast<std::size_t>(id));
    }
  }
  if (overlap.averaged.empty()) value_error("target_class_ids is empty; give at least one class");
  const Value dtype = settings.get("dtype");
  overlap.truncates_weights = dtype.is_null() || dtype.as_string("dtype").starts_with("int");
  return overlap;
}

// Returns the classes in `x`: its elements if the setting `sparse` is true, otherwise the indices
// of the highest scores along an axis. With a threshold, predictions become the classes 0 and 1.
Tensor classes_of(const Tensor& x, const OpAttributes& settings, Name sparse) {
  const Value is_sparse = setting_if_any(settings, sparse);
  const Value threshold = setting_if_any(settings, "threshold");
  if (!threshold.is_null()) {
    if (sparse.view() == "sparse_y_true") return x;
    const Tensor bound = Tensor::scalar(DType::kFloat32, threshold.as_number("threshold"));
    return ops::cast(ops::greater_equal(x, bound), DType::kFloat32);
  }
  // OneHotIoU has no setting for targets.
  if (!is_sparse.is_null() && is_sparse.as_bool(sparse)) return x;
  return ops::cast(ops::argmax(x, ops::Axes(settings.get("axis"))), DType::kFloat32);
}

void add(const Measure&, const OpAttributes& settings, const Batch& batch, Sums& sums) {
  const Overlap overlap = read(settings);
  const Batch floats = prepared(batch, false);
  const Tensor truth = classes_of(floats.y_true, settings, "sparse_y_true");
  const Tensor predicted = classes_of(floats.y_pred, settings, "sparse_y_pred");
  const std::size_t weights = floats.weight.empty_handle() ? 1 : floats.weight.size();
  const std::size_t size = std::max(truth.size(), predicted.size());
  const auto fits = [&](std::size_t n) { return n == size || n == 1; };
  const bool is_scalar = truth.rank() == 0 && (predicted.rank() == 0 || floats.weight.rank() > 0);
  if (is_scalar || !fits(truth.size()) || !fits(predicted.size()) ||
      (weights != 1 && weights != truth.size())) {
    shape_error("there are ", truth.size(), " targets, ", predicted.size(), " predictions and ",
                weights, " weights; give as many of each");
  }
  const auto count = static_cast<std::size_t>(overlap.classes);
  const Value ignored = setting_if_any(settings, "ignore_class");
  sums.resize(count * count);
  for (std::size_t i = 0; i < size; ++i) {
    const auto at = [i](const Tensor& x) { return std::trunc(x.data<float>()[i % x.size()]); };
    const double row = at(truth);
    const double column = at(predicted);
    const auto last = static_cast<double>(count - 1);
    if (!(row >= 0 && row <= last && column >= 0 && column <= last)) continue;
    if (!ignored.is_null() && row == ignored.as_number("ignore_class")) continue;
    const double weight =
        weights == 1 && floats.weight.empty_handle() ? 1 : floats.weight.data<float>()[i % weights];
    sums[static_cast<std::size_t>(row) * count + static_cast<std::size_t>(column)] +=
        overlap.truncates_weights ? std::trunc(weight) : weight;
  }
}

Value result(const Measure&, const OpAttributes& settings, const Sums& sums) {
  constexpr double kEpsilon = 1e-7;
  const Overlap overlap = read(settings);
  if (sums.empty()) return 0;
  const auto count = static_cast<std::size_t>(overlap.classes);
  double total = 0;
  double present = 0;
  for (const std::size_t id : overlap.averaged) {
    const double intersection = sums[id * count + id];
    double union_size = -intersection;
    for (std::size_t k = 0; k < count; ++k) {
      union_size += sums[id * count + k] + sums[k * count + id];
    }
    if (union_size <= 1e-9) continue;
    total += intersection / (union_size + kEpsilon);
    present += 1;
  }
  return total / (present + kEpsilon);
}

}  // namespace

constinit const Tallying kOverlapTally{add, result};

}  // namespace maskflow
