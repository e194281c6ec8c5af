// SPDX-License-Identifier: MIT
#include "training/update.hpp"

namespace maskflow {
namespace {

using kernels::Vec;

// Duchi, Hazan and Singer 2011.
class Adagrad final : public Optimizer {
 public:
  void describe(Fields& fields) override {
    Optimizer::describe(fields);
    fields.field("initial_accumulator_value", start_, "Start of the sum of squares.");
    fields.field("epsilon", epsilon_, "Keeps a division from one by 0.");
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

const RegisterOptimizer<Adagrad> registration{"Adagrad",
                                              "Smaller steps where gradients were large or many."};

}  // namespace
}  // namespace maskflow
