// SPDX-License-Identifier: MIT
#include "training/optimizers/adam.hpp"
#include "training/update.hpp"

namespace maskflow {
namespace {

using kernels::Vec;

// Kingma and Ba 2014, section 7.
class Adamax final : public Optimizer {
 public:
  void describe(Fields& fields) override {
    Optimizer::describe(fields);
    describe_moments(fields, moments_);
  }

 private:
  void make_slots(PatternSearch /*search*/) override { add_slots({"momentum", "norm"}); }
  void update(const Step& step) override {
    const Vec rate(step.learning_rate);
    const Vec correction(bias_correction(moments_.beta_1, step.count));
    const Vec toward(static_cast<float>(1 - moments_.beta_1));
    const Vec beta(static_cast<float>(moments_.beta_2));
    const Vec epsilon(static_cast<float>(moments_.epsilon));
    update_each<2>(step, [=](Vec& w, const Vec& g, auto& slots) {
      slots[0] += (g - slots[0]) * toward;
      const Vec old = beta * slots[1];
      const Vec now = xsimd::abs(g);
      slots[1] = xsimd::select(now <= old, old, now);
      w -= rate * slots[0] / (correction * (slots[1] + epsilon));
    });
  }

  Moments moments_;
};

const RegisterOptimizer<Adamax> registration{"Adamax", "Adam with the largest gradient so far."};

}  // namespace
}  // namespace maskflow
