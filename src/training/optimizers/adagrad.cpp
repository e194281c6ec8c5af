// SPDX-License-Identifier: MIT
#include "training/update.hpp"

namespace maskflow {
namespace {

using kernels::Vec;

class Adagrad final : public Optimizer {
 public:
  void describe(Fields& fields) override {
    Optimizer::describe(fields);
    fields.field("initial_accumulator_value", start_, "Initial value of the sums of squares.");
    fields.field("epsilon", epsilon_, "Small number that prevents division by 0.");
  }

 private:
  void make_slots(PatternSearch /*search*/) override { add_slots({"accumulator"}, start_); }
  void update(const Step& step) override {
    const Vec rate(step.learning_rate);
    const Vec epsilon(static_cast<float>(epsilon_));
    update_each<1>(step, [=](Vec& w, const Vec& g, auto& slots) {
      slots[0] += g * g;
      w -= rate * g / xsimd::sqrt(slots[0] + epsilon);
    });
  }

  double start_ = 0.1;
  double epsilon_ = 1e-7;
};

const RegisterOptimizer<Adagrad> registration{
    "Adagrad",
    "Divides each gradient by the root of the sum of all its squares so far (Duchi et al. 2011)."};

}  // namespace
}  // namespace maskflow
