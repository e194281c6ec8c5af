// SPDX-License-Identifier: MIT
#pragma once

#include "training/optimizer.hpp"

namespace maskflow {

// Settings of rules that keep the first and second moment of the gradient.
struct Moments {
  double beta_1 = 0.9;
  double beta_2 = 0.999;
  double epsilon = 1e-7;
};

// Updates a variable by Adam. The slots are momentum, velocity and, with `amsgrad`, the largest
// velocity.
void adam_update(const Step& step, const Moments& moments, bool amsgrad);

class Adam : public Optimizer {
 public:
  void describe(Fields& fields) override;

 protected:
  void make_slots(PatternSearch /*search*/) override;
  void update(const Step& step) override { adam_update(step, moments_, amsgrad_); }

 private:
  Moments moments_;
  bool amsgrad_ = false;
};

// Describes beta_1, beta_2 and epsilon.
void describe_moments(Fields& fields, Moments& moments);
// Returns 1 - beta ** count, in float32 as in Keras.
[[nodiscard]] float bias_correction(double beta, float count);

}  // namespace maskflow
