// SPDX-License-Identifier: MIT
#include "training/update.hpp"

namespace maskflow {
namespace {

using kernels::Vec;

// Slots: velocity, then momentum and the mean of gradients if the settings need them.
class RmsProp final : public Optimizer {
 public:
  void describe(Fields& fields) override {
    Optimizer::describe(fields);
    fields.field("rho", rho_, "Decay rate of the mean of squares, from 0 to 1.");
    fields.field("momentum", momentum_, "Share of the previous step in each step; 0: no momentum.");
    fields.field("epsilon", epsilon_, "Small number that prevents division by 0.");
    fields.field("centered", centered_,
                 "Whether to divide by the root of the variance instead of the mean of squares.");
  }

 private:
  void make_slots(PatternSearch /*search*/) override {
    add_slots({"velocity"});
    if (momentum_ > 0) add_slots({"momentum"});
    if (centered_) add_slots({"average_gradient"});
  }
  // Updates a variable, with kMomentum (0 or 1) slots for the momentum and kMean (0 or 1) for the
  // mean.
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

const RegisterOptimizer<RmsProp> registration{"RMSprop",
                                              "Divides each gradient by the root of the mean of "
                                              "its recent squares (Tieleman & Hinton 2012)."};

}  // namespace
}  // namespace maskflow
