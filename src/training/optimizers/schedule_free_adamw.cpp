// SPDX-License-Identifier: MIT
#include <algorithm>

#include "training/optimizers/adam.hpp"
#include "training/update.hpp"

namespace maskflow {
namespace {

using kernels::Vec;

// Defazio et al. 2024, "The Road Less Scheduled". The weights are what the gradient is taken at;
// the slot `momentum` is the sequence that steps are made in, and the average of both is kept in
// neither.
class ScheduleFreeAdamW final : public Optimizer {
 public:
  ScheduleFreeAdamW() : Optimizer(0.0025) { moments_.epsilon = 1e-8; }
  void describe(Fields& fields) override {
    Optimizer::describe(fields);
    describe_moments(fields, moments_);
    fields.field("warmup_steps", warmup_, "Steps in which the rate grows along a line; 0: none.");
  }
  void check_config() const override {
    Optimizer::check_config();
    // The average is divided by it.
    require_positive("beta_1", moments_.beta_1);
  }

 private:
  void make_slots(PatternSearch /*search*/) override {
    add_slots({"momentum", "velocity"});
    for (Entry& entry : entries()) entry.slots[0]->set_value(entry.trained.variable->value());
  }
  void update(const Step& step) override {
    float rate = step.learning_rate;
    if (warmup_ > 0) rate *= std::min(step.count / static_cast<float>(warmup_), 1.0F);
    const Vec toward(1 - static_cast<float>(moments_.beta_2));
    const Vec correction(bias_correction(moments_.beta_2, step.count));
    const Vec epsilon(static_cast<float>(moments_.epsilon));
    const Vec beta(static_cast<float>(moments_.beta_1));
    const Vec rest(1 - static_cast<float>(moments_.beta_1));
    const float weight = 1 / step.count;
    const Vec of_old(1 - weight);
    const Vec of_new(weight);
    update_each<2>(step, [=, rate = Vec(rate)](Vec& w, const Vec& g, auto& slots) {
      slots[1] += (g * g - slots[1]) * toward;
      slots[0] -= rate * g / (xsimd::sqrt(slots[1] / correction) + epsilon);
      // With the new sequence, not the old one, as Keras does on torch and TensorFlow: there what
      // it takes for the old value is the variable, which has changed by now.
      const Vec average = (w - rest * slots[0]) / beta;
      w = rest * slots[0] + beta * (of_old * average + of_new * slots[0]);
    });
  }

  Moments moments_;
  int warmup_ = 0;
};

const RegisterOptimizer<ScheduleFreeAdamW> registration{
    "ScheduleFreeAdamW", "AdamW that needs no schedule: it averages the weights."};

}  // namespace
}  // namespace maskflow
