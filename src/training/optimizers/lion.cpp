// SPDX-License-Identifier: MIT
#include "training/optimizers/adam.hpp"
#include "training/update.hpp"

namespace maskflow {
namespace {

using kernels::Vec;

// Chen et al. 2023.
class Lion final : public Optimizer {
 public:
  Lion() { moments_.beta_2 = 0.99; }
  void describe(Fields& fields) override {
    Optimizer::describe(fields);
    describe_moments(fields, moments_, false);
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
      // (Times 0, not 0: NaN must stay.)
      w -= xsimd::select(mean > zero, rate, xsimd::select(mean < zero, -rate, mean * zero));
      slots[0] = slots[0] * beta_2 + g * (one - beta_2);
    });
  }

  Moments moments_;
};

const RegisterOptimizer<Lion> registration{"Lion", "Steps by the sign of the momentum alone."};

}  // namespace
}  // namespace maskflow
