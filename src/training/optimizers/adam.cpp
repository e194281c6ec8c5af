// SPDX-License-Identifier: MIT
#include "training/optimizers/adam.hpp"

#include <cmath>

#include "training/update.hpp"

namespace maskflow {

using kernels::Vec;

void describe_moments(Fields& fields, Moments& moments, bool with_epsilon) {
  fields.field("beta_1", moments.beta_1, "Share of the old mean of gradients in the new one.");
  fields.field("beta_2", moments.beta_2, "The same of the mean of their squares.");
  if (with_epsilon) fields.field("epsilon", moments.epsilon, "Keeps a division from one by 0.");
}

float bias_correction(double beta, float count) {
  return 1 - std::pow(static_cast<float>(beta), count);
}

void adam_update(const Step& step, const Moments& moments, bool amsgrad) {
  const Vec rate(step.learning_rate * std::sqrt(bias_correction(moments.beta_2, step.count)) /
                 bias_correction(moments.beta_1, step.count));
  const Vec toward_1(static_cast<float>(1 - moments.beta_1));
  const Vec toward_2(static_cast<float>(1 - moments.beta_2));
  const Vec epsilon(static_cast<float>(moments.epsilon));
  const auto moved = [=](const Vec& g, auto& slots) {
    slots[0] += (g - slots[0]) * toward_1;
    slots[1] += (g * g - slots[1]) * toward_2;
  };
  if (amsgrad) {
    update_each<3>(step, [=](Vec& w, const Vec& g, auto& slots) {
      moved(g, slots);
      slots[2] = xsimd::select(slots[1] <= slots[2], slots[2], slots[1]);
      w -= slots[0] * rate / (xsimd::sqrt(slots[2]) + epsilon);
    });
  } else {
    update_each<2>(step, [=](Vec& w, const Vec& g, auto& slots) {
      moved(g, slots);
      w -= slots[0] * rate / (xsimd::sqrt(slots[1]) + epsilon);
    });
  }
}

void Adam::describe(Fields& fields) {
  Optimizer::describe(fields);
  describe_moments(fields, moments_);
  fields.field("amsgrad", amsgrad_, "Divide by the largest velocity so far (AMSGrad)?");
}

void Adam::make_slots(PatternSearch /*search*/) {
  add_slots({"momentum", "velocity"});
  if (amsgrad_) add_slots({"velocity_hat"});
}

namespace {

const RegisterOptimizer<Adam> registration{
    "Adam", "Steps of a size that follows the moments of each gradient."};

}  // namespace
}  // namespace maskflow
