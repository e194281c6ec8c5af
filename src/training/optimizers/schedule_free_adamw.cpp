// SPDX-License-Identifier: MIT
#include <algorithm>

#include "training/optimizers/adam.hpp"
#include "training/update.hpp"

namespace maskflow {
namespace {

using kernels::Vec;

// The weights are the point y at which gradients are computed. The slot `momentum` is the sequence
// z of plain steps. Their average x is computed from both when it is needed.
class ScheduleFreeAdamW final : public Optimizer {
 public:
  ScheduleFreeAdamW() : Optimizer(0.0025) { moments_.epsilon = 1e-8; }
  void describe(Fields& fields) override {
    Optimizer::describe(fields);
    describe_moments(fields, moments_);
    fields.field("warmup_steps", warmup_,
                 "Number of first steps in which the learning rate grows linearly; 0: none.");
  }
  void check_config() const override {
    Optimizer::check_config();
    // update() divides by beta_1.
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
    const Vec average_weight(1 - weight);
    const Vec step_weight(weight);
    update_each<2>(step, [=, rate = Vec(rate)](Vec& w, const Vec& g, auto& slots) {
      slots[1] += (g * g - slots[1]) * toward;
      slots[0] -= rate * g / (xsimd::sqrt(slots[1] / correction) + epsilon);
      // Computed from the new z, as Keras does with PyTorch and TensorFlow: its code means the old
      // value, but reads the variable after it has changed.
      const Vec average = (w - rest * slots[0]) / beta;
      w = rest * slots[0] + beta * (average_weight * average + step_weight * slots[0]);
    });
  }

  Moments moments_;
  int warmup_ = 0;
};

const RegisterOptimizer<ScheduleFreeAdamW> registration{
    "ScheduleFreeAdamW",
    "AdamW that averages the weights instead of following a schedule (Defazio et al. 2024)."};

}  // namespace
}  // namespace maskflow
