// SPDX-License-Identifier: MIT
#include "training/optimizers/adam.hpp"
#include "training/update.hpp"

namespace maskflow {
namespace {

using kernels::Vec;

class Lamb final : public Optimizer {
 public:
  void describe(Fields& fields) override {
    Optimizer::describe(fields);
    describe_moments(fields, moments_);
  }

 private:
  void make_slots(PatternSearch /*search*/) override { add_slots({"momentum", "velocity"}); }
  void update(const Step& step) override {
    const Vec toward_1(static_cast<float>(1 - moments_.beta_1));
    const Vec toward_2(static_cast<float>(1 - moments_.beta_2));
    const Vec correction_1(bias_correction(moments_.beta_1, step.count));
    const Vec correction_2(bias_correction(moments_.beta_2, step.count));
    const Vec epsilon(static_cast<float>(moments_.epsilon));
    const auto direction = [=](const auto& slots) {
      return slots[0] / correction_1 / (xsimd::sqrt(slots[1] / correction_2) + epsilon);
    };
    Vec squares(0.0F);
    update_in_order<2>(step, [=, &squares](Vec&, const Vec& g, auto& slots) {
      slots[0] += (g - slots[0]) * toward_1;
      slots[1] += (g * g - slots[1]) * toward_2;
      const Vec d = direction(slots);
      // The elements that fill up the last vector are 0, and 0 / 0 must not count.
      squares += xsimd::select(slots[0] == Vec(0.0F), Vec(0.0F), d * d);
    });
    const float weights = norm(step.weights, step.size);
    const float directions = std::sqrt(xsimd::reduce_add(squares));
    const float ratio = weights > 0 && directions > 0 ? weights / directions : 1;
    const Vec rate(ratio * step.learning_rate);
    update_each<2>(after_decay(step),
                   [=](Vec& w, const Vec&, auto& slots) { w -= rate * direction(slots); });
  }

  Moments moments_;
};

const RegisterOptimizer<Lamb> registration{"Lamb",
                                           "Adam with steps proportional to the norm of each "
                                           "weight, for large batches (You et al. 2019)."};

}  // namespace
}  // namespace maskflow
