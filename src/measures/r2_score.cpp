// SPDX-License-Identifier: MIT
// The coefficient of determination. Sums are the number of values and, for each output: the
// weights, the weighted targets, their squares, and the squares of the errors.
#include <cmath>

#include "measures/metrics.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

constexpr std::size_t kPerOutput = 4;

int aggregation_of(const OpAttributes& settings) {
  if (settings.integer("num_regressors") < 0) value_error("num_regressors is negative");
  return choice(settings, "class_aggregation", "uniform_average variance_weighted_average");
}

void add(const Measure&, const OpAttributes& settings, const Batch& batch, Sums& sums) {
  aggregation_of(settings);
  Batch given = prepared(batch);
  const Shape& shape = given.y_pred.shape();
  if (shape.rank() != 2 || given.y_true.rank() != 2) {
    shape_error("y_true and y_pred must be [batch, outputs] but have shapes ", given.y_true.shape(),
                " and ", shape);
  }
  const Tensor ones = ops::ones_like(given.y_pred);
  check_fits(given.y_true, "target", shape);
  if (given.weight.empty_handle()) given.weight = Tensor::full(DType::kFloat32, {1}, 1);
  if (given.weight.rank() == 1) given.weight = ops::expand_dims(given.weight, 1);
  check_fits(given.weight, "sample weight", given.y_true.shape());
  const Tensor targets = ops::multiply(given.y_true, ones);
  const Tensor weights = ops::multiply(given.weight, ones);
  const auto outputs = static_cast<std::size_t>(shape.back());
  const std::size_t size = 1 + kPerOutput * outputs;
  if (!sums.empty() && sums.size() != size) {
    shape_error("there are ", outputs, " outputs but there were ", sums.size() / kPerOutput,
                "; reset the metric first");
  }
  sums.resize(size);
  sums[0] += static_cast<double>(given.y_true.size());
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const double target = targets.data<float>()[i];
    const double weight = weights.data<float>()[i];
    const double error = target - given.y_pred.data<float>()[i];
    const double parts[] = {weight, weight * target, weight * target * target,
                            weight * error * error};
    for (std::size_t k = 0; k < kPerOutput; ++k) {
      sums[1 + kPerOutput * (i % outputs) + k] += parts[k];
    }
  }
}

// Keras corrects for the number of variables that explain, as long as there are values enough.
double adjusted(double score, double values, double variables) {
  if (variables == 0 || variables >= values - 1) return score;
  return 1 - (1 - score) * (values - 1) / (values - variables - 1);
}

// In float, so that what does not vary shows the same rest as in Keras.
Value result(const Measure&, const OpAttributes& settings, const Sums& sums) {
  const int aggregation = aggregation_of(settings);
  const auto variables = static_cast<double>(settings.integer("num_regressors"));
  if (sums.empty()) return 0;
  List scores;
  float total = 0;
  float variance = 0;
  for (std::size_t at = 1; at < sums.size(); at += kPerOutput) {
    const auto part = [&](std::size_t k) { return static_cast<float>(sums[at + k]); };
    const float varies = part(2) - part(1) * (part(1) / part(0));
    const float unexplained = part(3) / varies;
    const float score = std::isinf(unexplained) ? 0 : 1 - unexplained;
    total += aggregation == 0 ? score : score * varies;
    variance += varies;
    scores.emplace_back(adjusted(score, sums[0], variables));
  }
  if (aggregation < 0) return scores;
  const float by = aggregation == 0 ? static_cast<float>(scores.size()) : variance;
  return adjusted(total / by, sums[0], variables);
}

}  // namespace

constinit const Tallying kR2Tally{add, result};

}  // namespace maskflow
