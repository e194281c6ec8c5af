// SPDX-License-Identifier: MIT
#include "training/update.hpp"

namespace maskflow {
namespace {

using kernels::Vec;

class Adadelta final : public Optimizer {
 public:
  void describe(Fields& fields) override {
    Optimizer::describe(fields);
    fields.field("rho", rho_, "Decay rate of the means of squares, from 0 to 1.");
    fields.field("epsilon", epsilon_, "Small number that prevents division by 0.");
  }

 private:
  void make_slots(PatternSearch /*search*/) override {
    add_slots({"accumulated_grad", "accumulated_delta_var"});
  }
  void update(const Step& step) override {
    const Vec rate(step.learning_rate);
    const Vec rho(static_cast<float>(rho_));
    const Vec toward(static_cast<float>(1 - rho_));
    const Vec epsilon(static_cast<float>(epsilon_));
    update_each<2>(step, [=](Vec& w, const Vec& g, auto& slots) {
      slots[0] = rho * slots[0] + toward * (g * g);
      const Vec delta = -(xsimd::sqrt(slots[1] + epsilon) * g / xsimd::sqrt(slots[0] + epsilon));
      slots[1] = rho * slots[1] + toward * (delta * delta);
      w += rate * delta;
    });
  }

  double rho_ = 0.95;
  double epsilon_ = 1e-7;
};

const RegisterOptimizer<Adadelta> registration{
    "Adadelta",
    "Divides each gradient by the root of the mean of its recent squares, and multiplies it by "
    "that of the recent steps (Zeiler 2012)."};

}  // namespace
}  // namespace maskflow
