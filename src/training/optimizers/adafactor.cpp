// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "training/update.hpp"

namespace maskflow {
namespace {

// Keeps the squares of gradients as means of rows and of columns, for weights with at least two
// axes. As Keras does, it also keeps the product of both (`velocity`).
class Adafactor final : public Optimizer {
 public:
  void describe(Fields& fields) override {
    Optimizer::describe(fields);
    fields.field("beta_2_decay", decay_exponent_,
                 "Exponent c of the decay rate 1 - step ** c of the means of squares; below 0.");
    fields.field("epsilon_1", epsilon_1_, "Small number added to the squares of gradients.");
    fields.field(
        "epsilon_2", epsilon_2_,
        "Lower bound of the root mean square of the weights, to which steps are proportional.");
    fields.field("clip_threshold", threshold_,
                 "Upper bound of the root mean square of a step, before the learning rate.");
    fields.field("relative_step", relative_,
                 "Kept for the configuration: as in Keras, the learning rate is always at most 1 / "
                 "sqrt(step).");
  }

 private:
  // Slots: means of rows, means of columns, velocity.
  void make_slots(PatternSearch /*search*/) override {
    for (Entry& entry : entries()) {
      const Shape& shape = entry.trained.variable->shape();
      const std::string& name = entry.trained.variable->name();
      const int rank = shape.rank();
      for (const int dropped_axis : {-1, -2}) {
        if (rank < 2) {
          // Keras has a scalar in place of these means for other weights.
          add_state(name, {}, DType::kInt32, 0, false);
          continue;
        }
        Shape means = shape;
        means.erase(rank + dropped_axis);
        entry.slots.push_back(add_state(name, means, DType::kFloat32));
      }
      entry.slots.push_back(add_slot(entry, "velocity"));
    }
  }

  void update(const Step& step) override {
    decay_weights(step);
    const float decay = 1 - std::pow(step.count, static_cast<float>(decay_exponent_));
    if (step.shape.rank() < 2) {
      update_squares(step, decay);
    } else {
      update_factors(step, decay);
    }
    const auto n = static_cast<double>(step.size);
    const float* const velocity = step.slots.back();
    double squares = 0;
    for (std::size_t i = 0; i < step.size; ++i) {
      const float x = gradient(step, i) / std::sqrt(velocity[i]);
      squares += static_cast<double>(x * x);
    }
    const auto rms = static_cast<float>(std::sqrt(squares / n));
    const auto weights_rms =
        static_cast<float>(std::sqrt(sum_of_squares(step.weights, step.size) / n));
    const float rate = std::max(static_cast<float>(epsilon_2_), weights_rms) *
                       std::min(step.learning_rate, 1 / std::sqrt(step.count)) /
                       std::max(1.0F, rms / static_cast<float>(threshold_));
    for (std::size_t i = 0; i < step.size; ++i) {
      step.weights[i] -= rate * (gradient(step, i) / std::sqrt(velocity[i]));
    }
  }

  // Clips by comparisons, because minima would lose NaN.
  static float gradient(const Step& step, std::size_t i) {
    const float g = step.gradient[i] * step.scale;
    return g > step.limit ? step.limit : g < -step.limit ? -step.limit : g;
  }
  [[nodiscard]] float square(const Step& step, std::size_t i) const {
    const float g = gradient(step, i);
    return g * g + static_cast<float>(epsilon_1_);
  }

  void update_squares(const Step& step, float decay) const {
    float* const velocity = step.slots[0];
    for (std::size_t i = 0; i < step.size; ++i) {
      velocity[i] = decay * velocity[i] + (1 - decay) * square(step, i);
    }
  }

  void update_factors(const Step& step, float decay) const {
    const auto rows = static_cast<std::size_t>(step.shape[-2]);
    const auto columns = static_cast<std::size_t>(step.shape[-1]);
    for (std::size_t first = 0; first < step.size; first += rows * columns) {
      float* const row_means = step.slots[0] + first / columns;
      float* const column_means = step.slots[1] + first / rows;
      update_means(step, first, decay, row_means, column_means);
      double sum = 0;
      for (std::size_t r = 0; r < rows; ++r) sum += static_cast<double>(row_means[r]);
      const auto mean = static_cast<float>(sum / static_cast<double>(rows));
      float* to = step.slots[2] + first;
      for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t c = 0; c < columns; ++c) *to++ = row_means[r] / mean * column_means[c];
      }
    }
  }

  // Updates the means of one matrix of the gradient.
  void update_means(const Step& step, std::size_t first, float decay, float* row_means,
                    float* column_means) const {
    const auto rows = static_cast<std::size_t>(step.shape[-2]);
    const auto columns = static_cast<std::size_t>(step.shape[-1]);
    const float per_row = (1 - decay) / static_cast<float>(columns);
    const float per_column = (1 - decay) / static_cast<float>(rows);
    for (std::size_t c = 0; c < columns; ++c) column_means[c] *= decay;
    for (std::size_t r = 0; r < rows; ++r) {
      float sum = 0;
      for (std::size_t c = 0; c < columns; ++c) {
        const float x = square(step, first + r * columns + c);
        sum += x;
        column_means[c] += per_column * x;
      }
      row_means[r] = decay * row_means[r] + per_row * sum;
    }
  }

  double decay_exponent_ = -0.8;
  double epsilon_1_ = 1e-30;
  double epsilon_2_ = 1e-3;
  double threshold_ = 1;
  bool relative_ = true;
};

const RegisterOptimizer<Adafactor> registration{
    "Adafactor",
    "Adam with less state: for weights with two axes or more, it keeps the mean squares of rows "
    "and columns instead of all elements (Shazeer & Stern 2018)."};

}  // namespace
}  // namespace maskflow
