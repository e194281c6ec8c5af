// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "training/update.hpp"

namespace maskflow {
namespace {

// Shazeer and Stern 2018. For weights with two axes or more the squares of gradients are kept as
// means of rows and of columns; Keras keeps their product, too.
class Adafactor final : public Optimizer {
 public:
  void describe(Fields& fields) override {
    Optimizer::describe(fields);
    fields.field("beta_2_decay", decay_, "How the share of old squares grows; below 0.");
    fields.field("epsilon_1", epsilon_1_, "Added to squares of gradients.");
    fields.field("epsilon_2", epsilon_2_, "The least root mean square of weights.");
    fields.field("clip_threshold", threshold_, "The largest root mean square of a step.");
    fields.field("relative_step", relative_, "At most 1 / sqrt(step) as learning rate?");
  }

 private:
  // Slots: means of rows, means of columns, velocity.
  void make_slots(PatternSearch /*search*/) override {
    for (Entry& entry : entries()) {
      const Shape& shape = entry.trained.variable->shape();
      const std::string& name = entry.trained.variable->name();
      const int rank = shape.rank();
      for (const int left_out : {-1, -2}) {
        if (rank < 2) {
          // Keras keeps a number in place of them.
          add_state(name, {}, DType::kInt32, 0, false);
          continue;
        }
        Shape means = shape;
        means.erase(rank + left_out);
        entry.slots.push_back(add_state(name, means, DType::kFloat32));
      }
      entry.slots.push_back(add_slot(entry, "velocity"));
    }
  }

  void update(const Step& step) override {
    decay_weights(step);
    const float old = 1 - std::pow(step.count, static_cast<float>(decay_));
    if (step.shape.rank() < 2) {
      update_squares(step, old);
    } else {
      update_factors(step, old);
    }
    const auto n = static_cast<double>(step.size);
    const float* const velocity = step.slots.back();
    double squares = 0;
    for (std::size_t i = 0; i < step.size; ++i) {
      const float x = gradient(step, i) / std::sqrt(velocity[i]);
      squares += static_cast<double>(x * x);
    }
    const auto rms = static_cast<float>(std::sqrt(squares / n));
    const auto of_weights =
        static_cast<float>(std::sqrt(sum_of_squares(step.weights, step.size) / n));
    const float rate = std::max(static_cast<float>(epsilon_2_), of_weights) *
                       std::min(step.learning_rate, 1 / std::sqrt(step.count)) /
                       std::max(1.0F, rms / static_cast<float>(threshold_));
    for (std::size_t i = 0; i < step.size; ++i) {
      step.weights[i] -= rate * (gradient(step, i) / std::sqrt(velocity[i]));
    }
  }

  // (Comparisons, not minima: NaN must stay.)
  static float gradient(const Step& step, std::size_t i) {
    const float g = step.gradient[i] * step.scale;
    return g > step.limit ? step.limit : g < -step.limit ? -step.limit : g;
  }
  [[nodiscard]] float square(const Step& step, std::size_t i) const {
    const float g = gradient(step, i);
    return g * g + static_cast<float>(epsilon_1_);
  }

  void update_squares(const Step& step, float old) const {
    float* const velocity = step.slots[0];
    for (std::size_t i = 0; i < step.size; ++i) {
      velocity[i] = old * velocity[i] + (1 - old) * square(step, i);
    }
  }

  void update_factors(const Step& step, float old) const {
    const auto rows = static_cast<std::size_t>(step.shape[-2]);
    const auto columns = static_cast<std::size_t>(step.shape[-1]);
    for (std::size_t first = 0; first < step.size; first += rows * columns) {
      float* const of_rows = step.slots[0] + first / columns;
      float* const of_columns = step.slots[1] + first / rows;
      update_means(step, first, old, of_rows, of_columns);
      double sum = 0;
      for (std::size_t r = 0; r < rows; ++r) sum += static_cast<double>(of_rows[r]);
      const auto mean = static_cast<float>(sum / static_cast<double>(rows));
      float* to = step.slots[2] + first;
      for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t c = 0; c < columns; ++c) *to++ = of_rows[r] / mean * of_columns[c];
      }
    }
  }

  // Of one matrix of the gradient.
  void update_means(const Step& step, std::size_t first, float old, float* of_rows,
                    float* of_columns) const {
    const auto rows = static_cast<std::size_t>(step.shape[-2]);
    const auto columns = static_cast<std::size_t>(step.shape[-1]);
    const float per_row = (1 - old) / static_cast<float>(columns);
    const float per_column = (1 - old) / static_cast<float>(rows);
    for (std::size_t c = 0; c < columns; ++c) of_columns[c] *= old;
    for (std::size_t r = 0; r < rows; ++r) {
      float sum = 0;
      for (std::size_t c = 0; c < columns; ++c) {
        const float x = square(step, first + r * columns + c);
        sum += x;
        of_columns[c] += per_column * x;
      }
      of_rows[r] = old * of_rows[r] + per_row * sum;
    }
  }

  double decay_ = -0.8;
  double epsilon_1_ = 1e-30;
  double epsilon_2_ = 1e-3;
  double threshold_ = 1;
  bool relative_ = true;
};

const RegisterOptimizer<Adafactor> registration{
    "Adafactor", "Adam's velocity from the means of rows and columns."};

}  // namespace
}  // namespace maskflow
