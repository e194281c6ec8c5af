// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/op_gradient.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

double log_add(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == kNever ? a : a + std::log1p(std::exp(b - a));
}

// One row of the batch. `places` are the classes of an alignment: blank, label, blank, ..., blank.
// `log_odds` are the log probabilities of the classes at each step.
struct Row {
  std::vector<std::int32_t> places;
  const float* log_odds;
  std::size_t steps, classes;

  [[nodiscard]] double odds(std::size_t t, std::size_t s) const {
    return static_cast<double>(log_odds[t * classes + at(places[s])]);
  }
  // Returns whether the blank before this place may be skipped.
  [[nodiscard]] bool skips_to(std::size_t s) const { return s > 1 && places[s] != places[s - 2]; }
};

using Table = std::vector<std::vector<double>>;

// Returns the log probabilities of reaching a place at a step.
Table forward_sums(const Row& row) {
  const std::size_t count = row.places.size();
  Table table(row.steps, std::vector<double>(count, kNever));
  for (std::size_t t = 0; t < row.steps; ++t) {
    for (std::size_t s = 0; s < count; ++s) {
      double sum = t == 0 && s < 2 ? 0 : kNever;
      if (t > 0) {
        sum = table[t - 1][s];
        if (s > 0) sum = log_add(sum, table[t - 1][s - 1]);
        if (row.skips_to(s)) sum = log_add(sum, table[t - 1][s - 2]);
      }
      table[t][s] = sum + row.odds(t, s);
    }
  }
  return table;
}

// Returns the log probabilities of completing the alignment from a place at a step.
Table backward_sums(const Row& row) {
  const std::size_t count = row.places.size();
  Table table(row.steps, std::vector<double>(count, kNever));
  for (std::size_t s = count < 2 ? 0 : count - 2; s < count; ++s) table[row.steps - 1][s] = 0;
  for (std::size_t t = row.steps - 1; t-- > 0;) {
    const auto next = [&](std::size_t s) { return table[t + 1][s] + row.odds(t + 1, s); };
    for (std::size_t s = 0; s < count; ++s) {
      double sum = next(s);
      if (s + 1 < count) sum = log_add(sum, next(s + 1));
      if (s + 2 < count && row.skips_to(s + 2)) sum = log_add(sum, next(s + 2));
      table[t][s] = sum;
    }
  }
  return table;
}

// Adds the gradient of one row: the probability of a class at a step, minus its probability there
// in an alignment (Graves et al. 2006). The gradient of an impossible labelling is 0.
void add_row(const Row& row, double loss, float cotangent, float* to) {
  if (row.steps == 0 || !std::isfinite(loss)) return;
  const Table before = forward_sums(row);
  const Table after = backward_sums(row);
  for (std::size_t t = 0; t < row.steps; ++t) {
    float* const slope = to + t * row.classes;
    for (std::size_t k = 0; k < row.classes; ++k) {
      slope[k] += cotangent * std::exp(row.log_odds[t * row.classes + k]);
    }
    for (std::size_t s = 0; s < row.places.size(); ++s) {
      const double share = std::exp(before[t][s] + after[t][s] + loss);
      slope[row.places[s]] -= cotangent * static_cast<float>(share);
    }
  }
}

Tensors ctc_loss(const RecordedOp& call, const Tensors& g) {
  const Tensor labels = ops::cast(call.operands[0], DType::kInt32);
  const Tensor floats = ops::cast(call.operands[1], DType::kFloat32);
  const Tensor label_counts = ops::cast(call.operands[2], DType::kInt32);
  const Tensor step_counts = ops::cast(call.operands[3], DType::kInt32);
  const Tensor log_odds = ops::log_softmax(floats, -1);
  const auto blank = static_cast<std::int32_t>(call.settings().integer("mask_index"));
  const std::size_t steps = floats.shape().length(1);
  const std::size_t classes = floats.shape().length(2);
  const std::size_t longest = labels.shape().length(1);
  Tensor gradient = Tensor::zeros(DType::kFloat32, floats.shape());
  for (std::size_t b = 0; b < label_counts.size(); ++b) {
    Row row{{blank},
            log_odds.floats() + b * steps * classes,
            at(step_counts.data<std::int32_t>()[b]),
            classes};
    const auto count = at(label_counts.data<std::int32_t>()[b]);
    for (std::size_t i = 0; i < count; ++i) {
      row.places.push_back(labels.data<std::int32_t>()[b * longest + i]);
      row.places.push_back(blank);
    }
    add_row(row, static_cast<double>(call.results[0].data<float>()[b]), g[0].data<float>()[b],
            gradient.mutable_floats() + b * steps * classes);
  }
  return {{}, gradient, {}, {}};
}

constexpr OpGradient kGradients[] = {{"CtcLoss", ctc_loss}};
const RegisterOpGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
