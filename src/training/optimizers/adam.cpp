// SPDX-License-Identifier: MIT
#include "training/optimizers/adam.hpp"

#include <cmath>

#include "training/update.hpp"

namespace maskflow {

using kernels::Vec;

void describe_moments(Fields& fields, Moments& moments) {
  fields.field("beta_1", moments.beta_1, "Decay rate of the mean of gradients, from 0 to 1.");
  fields.field("beta_2", moments.beta_2,
               "Decay rate of the mean of squared gradients, from 0 to 1.");
  fields.field("epsilon", moments.epsilon, "Small number that prevents division by 0.");
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
  const auto update_moments = [=](const Vec& g, auto& slots) {
    slots[0] += (g - slots[0]) * toward_1;
    slots[1] += (g * g - slots[1]) * toward_2;
  };
  if (amsgrad) {
    update_each<3>(step, [=](Vec& w, const Vec& g, auto& slots) {
      update_moments(g, slots);
      slots[2] = xsimd::select(slots[1] <= slots[2], slots[2], slots[1]);
      w -= slots[0] * rate / (xsimd::sqrt(slots[2]) + epsilon);
    });
  } else {
    update_each<2>(step, [=](Vec& w, const Vec& g, auto& slots) {
      update_moments(g, slots);
      w -= slots[0] * rate / (xsimd::sqrt(slots[1]) + epsilon);
    });
  }
}

void Adam::describe(Fields& fields) {
  Optimizer::describe(fields);
  describe_moments(fields, moments_);
  fields.field("amsgrad", amsgrad_,
               "Whether to divide by the root of the largest mean of squares so far (AMSGrad, "
               "Reddi et al. 2018).");
}

void Adam::make_slots(PatternSearch /*search*/) {
  add_slots({"momentum", "velocity"});
  if (amsgrad_) add_slots({"velocity_hat"});
}

namespace {

const RegisterOptimizer<Adam> registration{"Adam",
                                           "Divides the mean of recent gradients by the root of "
                                           "the mean of their squares (Kingma & Ba 2014)."};

}  // namespace
}  // namespace maskflow
