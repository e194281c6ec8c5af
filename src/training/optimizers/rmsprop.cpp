// SPDX-License-Identifier: MIT
#include "training/update.hpp"

namespace maskflow {
namespace {

using kernels::Vec;

// Tieleman and Hinton 2012. Slots: velocity, then momentum and the mean of gradients where there
// are such.
class RmsProp final : public Optimizer {
 public:
  void describe(Fields& fields) override {
    Optimizer::describe(fields);
    fields.field("rho", rho_, "Share of the old mean of squares in the new one.");
    fields.field("momentum", momentum_, "Share of the last step in this one.");
    fields.field("epsilon", epsilon_, "Keeps a division from one by 0.");
    fields.field("centered", centered_, "Divide by the variance, not by the mean of squares?");
  }

 private:
  void make_slots(PatternSearch /*search*/) override {
    add_slots({"velocity"});
    if (momentum_ > 0) add_slots({"momentum"});
    if (centered_) add_slots({"average_gradient"});
  }
  // The rule with so many slots.
  template <std::size_t kMomentum, std::size_t kMean>
  void update_with(const Step& step) {
    const Vec rate(step.learning_rate);
    const Vec rho(static_cast<float>(rho_));
    const Vec toward(static_cast<float>(1 - rho_));
    const Vec momentum(static_cast<float>(momentum_));
    const Vec epsilon(static_cast<float>(epsilon_));
    update_each<1 + kMomentum + kMean>(step, [=](Vec& w, const Vec& g, auto& slots) {
      slots[0] = rho * slots[0] + toward * (g * g);
      Vec square = slots[0];
      if constexpr (kMean != 0) {
        Vec& mean = slots[1 + kMomentum];
        mean = rho * mean + toward * g;
        square -= mean * mean;
      }
      Vec delta = rate * g / xsimd::sqrt(square + epsilon);
      if constexpr (kMomentum != 0) {
        slots[1] = momentum * slots[1] + delta;
        delta = slots[1];
      }
      w -= delta;
    });
  }
  void update(const Step& step) override {
    if (momentum_ > 0) return centered_ ? update_with<1, 1>(step) : update_with<1, 0>(step);
    return centered_ ? update_with<0, 1>(step) : update_with<0, 0>(step);
  }

  double rho_ = 0.9;
  double momentum_ = 0;
  double epsilon_ = 1e-7;
  bool centered_ = false;
};

const RegisterOptimizer<RmsProp> registration{
    "RMSprop", "Gradients divided by the root of their mean square."};

}  // namespace
}  // namespace maskflow
