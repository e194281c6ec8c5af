// SPDX-License-Identifier: MIT
#include "training/optimizers/adam.hpp"
#include "training/update.hpp"

namespace maskflow {
namespace {

using kernels::Vec;

class Adamax final : public Optimizer {
 public:
  void describe(Fields& fields) override {
    Optimizer::describe(fields);
    fields.field("beta_1", moments_.beta_1, "Decay rate of the mean of gradients, from 0 to 1.");
    fields.field("beta_2", moments_.beta_2, "Decay rate of the largest gradient, from 0 to 1.");
    fields.field("epsilon", moments_.epsilon, "Small number that prevents division by 0.");
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
      const Vec largest = beta * slots[1];
      const Vec magnitude = xsimd::abs(g);
      slots[1] = xsimd::select(magnitude <= largest, largest, magnitude);
      w -= rate * slots[0] / (correction * (slots[1] + epsilon));
    });
  }

  Moments moments_;
};

const RegisterOptimizer<Adamax> registration{
    "Adamax",
    "Adam with the largest recent gradient in place of the root mean square (Kingma & Ba 2014)."};

}  // namespace
}  // namespace maskflow
