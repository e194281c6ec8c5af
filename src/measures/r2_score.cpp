// SPDX-License-Identifier: MIT
// The coefficient of determination. The sums are the number of values (since Keras 3.16, of
// samples) and, for each output, the sums of weights, weighted targets, weighted squares of
// targets, and weighted squares of errors.
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
  Batch floats = prepared(batch);
  const Shape& shape = floats.y_pred.shape();
  if (shape.rank() != 2 || floats.y_true.rank() != 2) {
    shape_error("y_true and y_pred must be [batch, outputs] but have shapes ",
                floats.y_true.shape(), " and ", shape);
  }
  const Tensor ones = ops::ones_like(floats.y_pred);
  check_fits(floats.y_true, "target", shape);
  if (floats.weight.empty_handle()) floats.weight = Tensor::full(DType::kFloat32, {1}, 1);
  if (floats.weight.rank() == 1) floats.weight = ops::expand_dims(floats.weight, 1);
  check_fits(floats.weight, "sample weight", floats.y_true.shape());
  const Tensor targets = ops::multiply(floats.y_true, ones);
  const Tensor weights = ops::multiply(floats.weight, ones);
  const auto outputs = static_cast<std::size_t>(shape.back());
  const std::size_t size = 1 + kPerOutput * outputs;
  if (!sums.empty() && sums.size() != size) {
    shape_error("y_pred has ", outputs, " outputs but earlier batches had ",
                sums.size() / kPerOutput, "; reset the metric first");
  }
  sums.resize(size);
  // Keras 3.15 counts the values of all outputs as samples, whatever their weights.
  const bool counts_samples = follows_keras_316();
  if (!counts_samples) sums[0] += static_cast<double>(floats.y_true.size());
  bool has_weight = false;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const double target = targets.data<float>()[i];
    const double weight = weights.data<float>()[i];
    const double error = target - floats.y_pred.data<float>()[i];
    const double parts[] = {weight, weight * target, weight * target * target,
                            weight * error * error};
    for (std::size_t k = 0; k < kPerOutput; ++k) {
      sums[1 + kPerOutput * (i % outputs) + k] += parts[k];
    }
    has_weight = (i % outputs != 0 && has_weight) || weight != 0;
    if (counts_samples && has_weight && (i + 1) % outputs == 0) ++sums[0];
  }
}

// Applies Keras's adjustment for the number of explanatory variables, unless there are too few
// values.
double adjusted(double score, double values, double variables) {
  if (variables == 0 || variables >= values - 1) return score;
  return 1 - (1 - score) * (values - 1) / (values - variables - 1);
}

// The result is computed in float, so that constant targets have the same rounding errors as in
// Keras.
Value result(const Measure&, const OpAttributes& settings, const Sums& sums) {
  const int aggregation = aggregation_of(settings);
  const auto variables = static_cast<double>(settings.integer("num_regressors"));
  if (sums.empty()) return 0;
  List scores;
  float total = 0;
  float variance = 0;
  for (std::size_t at = 1; at < sums.size(); at += kPerOutput) {
    const auto part = [&](std::size_t k) { return static_cast<float>(sums[at + k]); };
    const float output_variance = part(2) - part(1) * (part(1) / part(0));
    const float unexplained = part(3) / output_variance;
    const float score = std::isinf(unexplained) ? 0 : 1 - unexplained;
    total += aggregation == 0 ? score : score * output_variance;
    variance += output_variance;
    scores.emplace_back(adjusted(score, sums[0], variables));
  }
  if (aggregation < 0) return scores;
  const float divisor = aggregation == 0 ? static_cast<float>(scores.size()) : variance;
  return adjusted(total / divisor, sums[0], variables);
}

}  // namespace

constinit const Tallying kR2Tally{add, result};

}  // namespace maskflow
