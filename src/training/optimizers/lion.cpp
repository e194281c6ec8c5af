// SPDX-License-Identifier: MIT
#include "training/optimizers/adam.hpp"
#include "training/update.hpp"

namespace maskflow {
namespace {

using kernels::Vec;

class Lion final : public Optimizer {
 public:
  Lion() { moments_.beta_2 = 0.99; }
  void describe(Fields& fields) override {
    Optimizer::describe(fields);
    fields.field("beta_1", moments_.beta_1,
                 "Share of the momentum, as opposed to the gradient, in the direction of a step; "
                 "above 0, at most 1.");
    fields.field("beta_2", moments_.beta_2, "Decay rate of the momentum, from 0 to 1.");
  }
  void check_config() const override {
    Optimizer::check_config();
    if (!(moments_.beta_1 > 0 && moments_.beta_1 <= 1)) {
      config_error("'beta_1' is ", moments_.beta_1, " but must be above 0 and at most 1");
    }
  }

 private:
  void make_slots(PatternSearch /*search*/) override { add_slots({"momentum"}); }
  void update(const Step& step) override {
    const Vec rate(step.learning_rate);
    const Vec beta_1(static_cast<float>(moments_.beta_1));
    const Vec beta_2(static_cast<float>(moments_.beta_2));
    const Vec one(1.0F);
    update_each<1>(step, [=](Vec& w, const Vec& g, auto& slots) {
      const Vec mean = slots[0] * beta_1 + g * (one - beta_1);
      const Vec zero(0.0F);
      // `mean * zero` instead of 0 keeps NaN.
      w -= xsimd::select(mean > zero, rate, xsimd::select(mean < zero, -rate, mean * zero));
      slots[0] = slots[0] * beta_2 + g * (one - beta_2);
    });
  }

  Moments moments_;
};

const RegisterOptimizer<Lion> registration{
    "Lion", "Makes steps of one size, by the sign of momentum and gradient (Chen et al. 2023)."};

}  // namespace
}  // namespace maskflow
